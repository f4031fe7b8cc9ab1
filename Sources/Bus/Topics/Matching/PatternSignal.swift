public import Synchronization

/// The signal of the envelopes of all topics that match a pattern.
@frozen
@usableFromInline
struct PatternSignal: Signal {
    @usableFromInline typealias Value = Envelope<any Sendable>
    @usableFromInline typealias Failure = Never
    @usableFromInline let bus: NotificationBus
    @usableFromInline let pattern: TopicPattern
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Never>
    @usableFromInline let fileID: StaticString
    @usableFromInline let line: UInt

    @inlinable
    init(
        bus: NotificationBus,
        pattern: TopicPattern,
        limit: Int,
        overflow: Overflow<Never>,
        fileID: StaticString,
        line: UInt
    ) {
        self.bus = bus
        self.pattern = pattern
        self.limit = limit
        self.overflow = overflow
        self.fileID = fileID
        self.line = line
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        let meter = PatternMeter()
        let hub = bus.hub
        let listener = hub.listener(to: pattern)
        let output = SerialObserver(
            PatternObserver(ListeningObserver(observer, listener), meter),
            limit: limit,
            overflow: overflow
        )
        listener.waits(in: output.waiting)
        guard let subscriber = hub.add({ PatternSubscriber(output, pattern: pattern, number: $0) }) else {
            output.terminate(.completed)
            return output.handle
        }
        let account = output.account(of: pattern, on: hub, meter, fileID: fileID, line: line)
        output.resources.add(hub.removal(of: subscriber, account))
        hub.replay(to: subscriber)
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(source: "bus \(pattern)") }
}

/// Counts the values that a pattern subscriber was sent, and notes since when it has paused.
@usableFromInline
final class PatternMeter: Sendable {
    // Written by the thread that delivers, one at a time; read by any.
    @usableFromInline let delivered = Atomic<Int>(0)
    /// 0 while the subscriber has room.
    let pausedAt = Atomic<Int64>(0)

    @usableFromInline
    init() {}

    @inlinable
    func count() {
        delivered.store(delivered.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
}

/// Counts the values sent to a pattern subscriber, for the list of the bus.
@frozen
@usableFromInline
struct PatternObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let meter: PatternMeter

    @inlinable
    init(_ downstream: consuming Downstream, _ meter: PatternMeter) {
        self.downstream = downstream
        self.meter = meter
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        meter.count()
        return downstream.next(value)
    }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }

    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        // Before the downstream is asked, because it may call back at once.
        meter.pausedAt.store(MonotonicTime.nanoseconds, ordering: .relaxed)
        let demand = downstream.whenReady { [meter] in
            meter.pausedAt.store(0, ordering: .relaxed)
            resume()
        }
        if demand != .pause { meter.pausedAt.store(0, ordering: .relaxed) }
        return demand
    }
}

extension SerialObserver where Downstream: ~Copyable, Downstream.Value == Envelope<any Sendable> {
    /// The account of a pattern subscriber. It does not keep the subscriber alive.
    @usableFromInline
    func account(
        of pattern: TopicPattern,
        on hub: BusHub,
        _ meter: PatternMeter,
        fileID: StaticString,
        line: UInt
    ) -> SubscriberAccount {
        SubscriberAccount(.pattern(pattern), scope: hub.scope, fileID: fileID, line: line, limit: limit) {
            [pending, meter] in
            let pausedAt = meter.pausedAt.load(ordering: .relaxed)
            let delivered = meter.delivered.load(ordering: .relaxed)
            return pending.withLock { pending in
                QueueReading(
                    waiting: pending.values,
                    highWater: pending.highWater,
                    lost: pending.lost,
                    pausedAt: pausedAt == 0 ? nil : pausedAt,
                    oldest: pending.oldestValue?.uptimeNanoseconds,
                    delivered: delivered
                )
            }
        }
    }
}
