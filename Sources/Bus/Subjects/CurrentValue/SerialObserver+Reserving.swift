import Synchronization

// For a sender whose own state must change in the same order in which its events are heard: it takes its turn
// with its lock held, which runs nothing foreign, and makes use of it when the lock is released.
extension SerialObserver where Downstream: ~Copyable {
    /// What whoever took a turn owes.
    @frozen
    @usableFromInline
    enum Turn: Sendable {
        /// It delivers the event and leaves.
        case deliver
        /// It delivers what waits.
        case drain
        /// Nothing; another thread, or a caller of this one, sees to it.
        case done
    }

    /// Takes the turn to say `value`.
    ///
    /// - Parameter displaced: what the queue gave up for it, to be released without the lock.
    @inlinable
    func reserve(_ value: Value, displaced: inout Value?) -> Turn {
        enter() ? .deliver : reserveInLine(value, displaced: &displaced)
    }

    @usableFromInline
    func reserveInLine(_ value: Value, displaced: inout Value?) -> Turn {
        displaced = pending.withLock { pending -> Value? in
            let displaced = pending.appendReplacingNewest(value, limit: limit)
            tellIfCrowded(pending)
            return displaced
        }
        return tellsOfLine() ? .drain : .done
    }

    /// Takes the turn to say the end.
    @usableFromInline
    func reserve(_ termination: Termination<Failure>) -> Turn {
        pending.withLock { $0.entries.append(.terminate(termination)) }
        return tellsOfLine() ? .drain : .done
    }

    /// Makes use of the turn.
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
    /// Takes a value; when `limit` wait, in the place of the newest, which is lost. Thus the last one is never lost.
    mutating func appendReplacingNewest(_ value: Downstream.Value, limit: Int) -> Downstream.Value? {
        guard !append(.next(value), limit: max(1, limit)) else { return nil }
        var displaced: Downstream.Value?
        if let index = entries.lastIndex(where: \.countsAsValue) {
            if case .next(let newest) = entries.remove(at: index) { displaced = newest }
            lost += 1
            appendLoss(of: 1)
        }
        entries.append(.next(value))
        return displaced
    }
}
