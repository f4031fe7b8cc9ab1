import Synchronization

/// The lines of inputs of different types. Their tuple lies in the tuple's memory.
struct ZipPackLines: ZipLines {
    typealias Joined = Void

    let lines: [any ZipPackLine]
    /// How many lines do not have their next place yet.
    var empty: Int
    var isOneFinished = false

    init(_ lines: [any ZipPackLine]) {
        self.lines = lines
        empty = lines.count
    }

    var areReady: Bool { empty == 0 }

    mutating func take() -> Void? {
        var isWhole = true
        for line in lines {
            if !line.moveIntoPlace() { isWhole = false }
            if line.isEmpty {
                empty += 1
                if line.hasEnded { isOneFinished = true }
            }
        }
        guard isWhole else { return nil }
        for line in lines { line.wasTaken() }
        return ()
    }
}

/// One line, whatever its type.
protocol ZipPackLine: AnyObject, Sendable {
    var isEmpty: Bool { get }
    var hasEnded: Bool { get }

    /// Puts the next value into its place in the tuple; returns false when it was lost.
    func moveIntoPlace() -> Bool
    /// The tuple is about to be moved out.
    func wasTaken()
}

final class TypedZipPackLine<Value: Sendable>: ZipPackLine, @unchecked Sendable {
    // Touched only in the order of delivery of the one output that all inputs share.
    @exclusivity(unchecked) private var runs = PresenceRuns()
    @exclusivity(unchecked) private var values = ValueRing<Value>()
    @exclusivity(unchecked) private var taken = 0
    @exclusivity(unchecked) var hasEnded = false
    private let place: TuplePlace<Value>
    private let room: ZipRoom
    private let index: Int

    init(_ place: TuplePlace<Value>, _ room: ZipRoom, index: Int) {
        self.place = place
        self.room = room
        self.index = index
    }

    var isEmpty: Bool { runs.isEmpty }

    func append(_ value: Value) {
        runs.appendValue()
        values.append(value)
    }

    func appendLoss(of count: Int) { runs.appendLoss(of: count) }

    func moveIntoPlace() -> Bool {
        guard runs.advance() else { return false }
        taken += 1
        room.counters[index].store(taken, ordering: .releasing)
        _ = place.put(values.removeFirst())
        return true
    }

    func wasTaken() { place.wasTaken() }
}

typealias ZipPackOutput = SerialObserver<ZipMachine<ZipPackLines, PackDownstream>>

struct PlaceInZipPack<Value: Sendable>: ZipPlace {
    let line: TypedZipPackLine<Value>

    /// Does the same as the machine's own function, which is generic over places and would look this type up.
    func receive(
        _ value: Value,
        after lost: Int,
        _ machine: inout ZipMachine<ZipPackLines, PackDownstream>
    ) -> Demand {
        if lost > 0 { appendLoss(of: lost, to: &machine.lines) }
        append(value, to: &machine.lines)
        return machine.pairIfReady()
    }

    func append(_ value: Value, to lines: inout ZipPackLines) {
        if line.isEmpty { lines.empty -= 1 }
        line.append(value)
    }

    func appendLoss(of count: Int, to lines: inout ZipPackLines) {
        if line.isEmpty { lines.empty -= 1 }
        line.appendLoss(of: count)
    }

    func end(in lines: inout ZipPackLines) {
        line.hasEnded = true
        if line.isEmpty { lines.isOneFinished = true }
    }
}
