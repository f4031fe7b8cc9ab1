import Bus
import Glibc

/// The listeners of each signal: a pure value, which the reading thread copies before each batch.
struct OSSignalRoutes: Sendable {
    typealias Emission = Emitter<OSSignal, OSSignalError>

    private struct Listener: Sendable {
        let id: UInt64
        let emitter: Emission
    }

    /// By the signal's number, in the order of their subscriptions.
    private var listeners = [[Listener]](repeating: [], count: 65)
    private var lastID: UInt64 = 0
    /// The signals that have listeners.
    private(set) var bits: SignalBits = []

    mutating func add(_ emitter: Emission, to numbers: SignalBits) -> UInt64 {
        lastID += 1
        for number in numbers.numbers { listeners[Int(number)].append(Listener(id: lastID, emitter: emitter)) }
        bits.formUnion(numbers)
        return lastID
    }

    /// - Returns: the emitter, and the signals that nobody listens to any more.
    mutating func remove(_ id: UInt64, from numbers: SignalBits) -> (Emission?, left: SignalBits) {
        var removed: Emission?
        var left: SignalBits = []
        for number in numbers.numbers {
            if let index = listeners[Int(number)].firstIndex(where: { $0.id == id }) {
                removed = listeners[Int(number)].remove(at: index).emitter
            }
            if listeners[Int(number)].isEmpty { left.formUnion(SignalBits(CollectionOfOne(number))) }
        }
        bits.subtract(left)
        return (removed, left)
    }

    func send(_ signal: OSSignal) {
        guard listeners.indices.contains(Int(signal.number)) else { return }
        for listener in listeners[Int(signal.number)] { listener.emitter.send(signal) }
    }

    func lost(_ count: Int, of number: CInt) {
        for listener in listeners[Int(number)] { listener.emitter.sendLoss(of: count) }
    }
}
