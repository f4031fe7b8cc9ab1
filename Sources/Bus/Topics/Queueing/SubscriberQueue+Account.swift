/// The part of a queue that the list of a bus reads.
extension SubscriberQueue where Downstream: ~Copyable {
    /// The account of this queue's subscriber. It does not keep the queue or the subscriber alive.
    ///
    /// - Parameter uptime: when a value was posted; nil where values carry no time.
    @usableFromInline
    func account(
        on status: TopicStatus,
        fileID: StaticString,
        line: UInt,
        uptime: (@Sendable (Value) -> Int64)? = nil
    ) -> SubscriberAccount {
        let scope = status.address.scope
        return SubscriberAccount(.topic(status), scope: scope, fileID: fileID, line: line, limit: limit) { [state] in
            // Copied under the lock, and looked at without it.
            let (reading, value) = state.withLock { state -> (QueueReading, Value?) in
                (state.reading, uptime == nil ? nil : state.pending.oldestValue)
            }
            guard let value, let uptime else { return reading }
            return reading.with(oldest: uptime(value))
        }
    }
}

extension SubscriberQueue.State where Downstream: ~Copyable {
    fileprivate var reading: QueueReading {
        QueueReading(
            waiting: pending.values,
            highWater: pending.highWater,
            lost: pending.lost,
            pausedAt: pausedAt == 0 ? nil : pausedAt,
            oldest: pending.values == 0 ? nil : times.bound(left: pending.taken &+ displaced),
            delivered: nil
        )
    }

    /// The subscriber pauses.
    mutating func pause(at now: Int64) {
        pausedAt = now
        let left = pending.taken &+ displaced
        times.pause(at: now, left: left, entered: left &+ pending.values)
    }
}

extension QueueReading {
    fileprivate func with(oldest: Int64) -> QueueReading {
        QueueReading(
            waiting: waiting,
            highWater: highWater,
            lost: lost,
            pausedAt: pausedAt,
            oldest: oldest,
            delivered: delivered
        )
    }
}

/// Passes everything on to a subscriber's queue, and abandons the queue when it is released.
@frozen
@usableFromInline
struct QueueObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable where Downstream.Failure == Never {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Never
    @usableFromInline let queue: SubscriberQueue<Downstream>

    @inlinable
    init(_ queue: SubscriberQueue<Downstream>) {
        self.queue = queue
    }

    @inlinable
    deinit {
        queue.abandon()
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { queue.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { queue.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Never>) { queue.terminate() }

    @inlinable
    var demand: Demand { queue.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { queue.whenReady(resume) }
}

/// An upper bound for how long the values in a line have waited, from one clock reading for each pause.
///
/// Values are numbered as they enter the queue. At a pause it notes the time and the number of the next value: that value and
/// all later ones entered after that time. Once all values before it have left, the time bounds the age of the rest.
struct WaitingTimes: Sendable {
    /// No waiting value entered earlier.
    private var earliest: Int64 = 0
    /// The values from `mark.next` on entered at `mark.time` or later.
    private var mark = (time: Int64(0), next: 0)

    /// - Parameters:
    ///   - now: the time of the pause.
    ///   - left: how many values have left the queue.
    ///   - entered: how many values have entered it.
    mutating func pause(at now: Int64, left: Int, entered: Int) {
        guard left >= mark.next else { return }
        earliest = left == entered ? now : mark.time
        mark = (now, entered)
    }

    /// The time since which all waiting values have entered.
    func bound(left: Int) -> Int64 { left >= mark.next ? mark.time : earliest }
}
