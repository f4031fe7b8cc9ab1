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
                (state.reading, uptime == nil ? nil : state.line.oldestValue)
            }
            guard let value, let uptime else { return reading }
            return reading.with(oldest: uptime(value))
        }
    }
}

extension SubscriberQueue.State where Downstream: ~Copyable {
    fileprivate var reading: QueueReading {
        QueueReading(
            waiting: line.values,
            highWater: line.mostValues,
            lost: line.lost,
            pausedAt: pausedAt == 0 ? nil : pausedAt,
            oldest: line.values == 0 ? nil : times.bound(left: line.taken &+ displaced),
            delivered: nil
        )
    }

    /// The subscriber pauses.
    mutating func pause(at now: Int64) {
        pausedAt = now
        let left = line.taken &+ displaced
        times.pause(at: now, left: left, entered: left &+ line.values)
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
