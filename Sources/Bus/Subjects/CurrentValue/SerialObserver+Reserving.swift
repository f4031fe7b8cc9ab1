import Synchronization

// For a sender whose own state must change in the order in which its events are heard. It takes its turn while it holds its
// lock, which runs nothing foreign, and uses the turn when the lock is released.
extension SerialObserver where Downstream: ~Copyable {
    /// The duty of the caller that took a turn.
    @frozen
    @usableFromInline
    enum Turn: Sendable {
        /// It delivers the event and leaves.
        case deliver
        /// It delivers the waiting events.
        case drain
        /// Nothing; another thread, or a caller of this one, does it.
        case done
    }

    /// Takes the turn to send `value`.
    ///
    /// - Parameter displaced: the value that the queue gave up for it, to be released without the lock.
    @inlinable
    func reserve(_ value: Value, displaced: inout Value?) -> Turn {
        enter() ? .deliver : reserveInQueue(value, displaced: &displaced)
    }

    @usableFromInline
    func reserveInQueue(_ value: Value, displaced: inout Value?) -> Turn {
        displaced = pending.withLock { pending -> Value? in
            let displaced = pending.appendReplacingNewest(value, limit: limit)
            noteCrowding(pending)
            return displaced
        }
        return announceQueued() ? .drain : .done
    }

    /// Takes the turn to send the end.
    @usableFromInline
    func reserve(_ termination: Termination<Failure>) -> Turn {
        pending.withLock { $0.append(.terminate(termination)) }
        return announceQueued() ? .drain : .done
    }

    /// Uses the turn.
    @inlinable
    func use(_ turn: Turn, for value: Value) {
        switch turn {
        case .deliver:
            deliver(value)
            leave()
        case .drain: drain()
        case .done: break
        }
    }
}

extension PendingEvents where Downstream: ~Copyable {
    /// Takes a value. When `limit` values wait, it replaces the newest, which is lost. So the last value is never lost.
    mutating func appendReplacingNewest(_ value: Downstream.Value, limit: Int) -> Downstream.Value? {
        guard !append(.next(value), limit: max(1, limit)) else { return nil }
        var displaced: Downstream.Value?
        if let index = waiting.lastIndex(where: \.entry.countsAsValue) {
            if case .next(let newest) = waiting.remove(at: index).entry { displaced = newest }
            lost += 1
            appendLoss(of: 1)
        }
        append(.next(value))
        return displaced
    }
}
