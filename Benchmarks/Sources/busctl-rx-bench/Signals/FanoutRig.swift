import Bus
@preconcurrency import OpenCombine
import Synchronization

/// Something that values are sent into, and listeners that add up what they hear. It is created once, so only sending
/// is measured.
struct FanoutRig {
    /// Sends the numbers below a count.
    let runWhole: (Int) -> Void
    /// The sum of everything the listeners have heard.
    let total: () -> UInt64

    init(runWhole: @escaping (Int) -> Void, total: @escaping () -> UInt64) {
        self.runWhole = runWhole
        self.total = total
    }

    init(send: @escaping (Int) -> Void, total: @escaping () -> UInt64) {
        self.init(runWhole: { count in for number in 0..<count { send(number) } }, total: total)
    }

    /// Sends, and returns the sum of what was heard.
    func run(_ count: Int) -> UInt64 {
        let before = total()
        runWhole(count)
        return total() &- before
    }
}

/// A sum that lives as long as its listeners.
final class Sum: @unchecked Sendable {
    // One thread sends, and reads after it has sent.
    private let sum = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)

    init() { sum.initialize(to: 0) }

    deinit { sum.deallocate() }

    var value: UInt64 { sum.pointee }

    @inline(__always)
    func add(_ value: Int) { sum.pointee &+= UInt64(truncatingIfNeeded: value) }
}

extension FanoutRig {
    /// One of our signals and the function that sends into it.
    static func ours<Source: Signal<Int, Never>>(
        _ signal: Source,
        listeners: Int,
        send: @escaping (Int) -> Void
    ) -> FanoutRig {
        let sum = Sum()
        for _ in 0..<listeners { _ = signal.subscribe(next: { sum.add($0) }) }
        return FanoutRig(send: send, total: { sum.value })
    }

    static func openCombine<Source: Publisher<Int, Never>>(
        _ publisher: Source,
        listeners: Int,
        send: @escaping (Int) -> Void
    ) -> FanoutRig {
        let sum = Sum()
        let subscriptions = (0..<listeners).map { _ in publisher.sink { sum.add($0) } }
        return FanoutRig(send: send, total: { withExtendedLifetime(subscriptions) { sum.value } })
    }

    /// The least cost of sending to listeners in one order: an uncontended compare-exchange, a closure call for each
    /// listener, and a subtraction. If a value is kept, also a lock.
    static func floor(listeners: Int, turns: Int = 1, locks: Bool = false) -> FanoutRig {
        let sum = Sum()
        let kept = ContiguousArray((0..<listeners).map { _ in Listener(listener(sum)) })
        // Not retained for each call, because that would cost as much as the call.
        let listeners = ContiguousArray(kept.map { Unmanaged.passUnretained($0) })
        let (first, second) = (Turn(), Turn())
        let value = Mutex(0)
        let call: (Int) -> Void = { number in
            first.take()
            if turns > 1 { second.take() }
            listeners.withUnsafeBufferPointer { listeners in
                for listener in listeners { listener._withUnsafeGuaranteedRef { $0.call(number) } }
            }
            if turns > 1 { second.leave() }
            first.leave()
        }
        let send: (Int) -> Void =
            locks
            ? { number in
                value.withLock { $0 = number }
                call(number)
            } : call
        return FanoutRig(send: send, total: { withExtendedLifetime(kept) { sum.value } })
    }

    private final class Listener: Sendable {
        let call: @Sendable (Int) -> Void

        init(_ call: @escaping @Sendable (Int) -> Void) {
            self.call = call
        }
    }

    // Not inlined, so that it remains a call.
    @inline(never)
    private static func listener(_ sum: Sum) -> @Sendable (Int) -> Void {
        { sum.add($0) }
    }
}

extension Contest {
    /// The same number of deliveries, whatever the number of listeners.
    static func fanout(
        _ name: String,
        listeners: Int,
        ours: FanoutRig,
        floor: FanoutRig,
        instead: [(name: String, fewer: Int, rig: FanoutRig)] = []
    ) -> Contest {
        Contest(
            name: "\(name), \(listeners.grouped) subscribers",
            events: max(40, 4_000_000 / listeners),
            expected: { Tally.ofNumbers(below: $0) &* UInt64(listeners) },
            contenders: [.ours(ours.run), .floor("turn and closure calls", floor.run)]
                + instead.map { .instead($0.name, fewer: $0.fewer, $0.rig.run) }
        )
    }
}

extension Standing {
    /// The cost divided by this number of listeners.
    func perSubscriber(_ listeners: Int) -> Standing {
        func shared(_ series: Series) -> Series {
            Series(name: series.name, samples: series.samples.map { $0 / Double(listeners) })
        }
        return Standing(
            name: name,
            unit: "ns/subscriber",
            ours: shared(ours),
            floor: floor.map(shared),
            instead: instead.map(shared)
        )
    }
}

extension Int {
    /// 10,000 instead of 10000.
    var grouped: String { self < 1000 ? "\(self)" : "\((self / 1000).grouped),\("\(self % 1000 + 1000)".dropFirst())" }
}
