import Synchronization

/// Waiting in the queue.
extension SerialObserver where Downstream: ~Copyable {
    @usableFromInline
    func submit(_ entry: PendingEvents<Downstream>.Entry, as caller: DeliveryCaller = .sender) {
        pending.withLock { $0.append(entry) }
        announce(as: caller)
    }

    /// There is something in the queue: the deliverer handles it, or, if there is none, the caller.
    @usableFromInline
    func announce(as caller: DeliveryCaller = .sender) {
        switch caller {
        case .sender: if announceQueued() { drain() }
        case .visitor: if turn.announceBehindOthers() { drain(as: .visitor) }
        }
    }

    /// Sets the flag for an enqueued event. True when nobody had the turn: then the caller has it, and drains.
    @usableFromInline
    func announceQueued() -> Bool { turn.announce() }

    /// Puts an input that counts as a value in the queue, where the queue has a bound.
    @usableFromInline
    func enqueue(_ entry: PendingEvents<Downstream>.Entry) -> Demand {
        let displaced = pending.withLock { pending -> PendingEvents<Downstream>.Entry? in
            let displaced = admit(entry, to: &pending)
            noteCrowding(pending)
            return displaced
        }
        withExtendedLifetime(displaced) {}
        announce()
        return demand
    }

    /// Half of the queue is reserved for senders that were told before that they may go on, so that a sender that
    /// respects the answer loses nothing. If the observer passes values on while it pauses, a value has no queue to
    /// wait in: then each sender waits for the answer.
    func noteCrowding(_ pending: PendingEvents<Downstream>) {
        if pending.isCrowded(above: whilePaused == .pass ? 0 : limit / 2, limit: limit) {
            isCrowded.store(true, ordering: .relaxed)
        }
    }

    /// The closures that are to be called, because less is in the queue now.
    func takeResumesIfDrained(_ pending: inout PendingEvents<Downstream>) -> [@Sendable () -> Void] {
        guard phase.demand == .more,
            isCrowded.load(ordering: .relaxed) || !pending.resumes.isEmpty,
            !pending.isCrowded(above: whilePaused == .pass ? 0 : limit / 4, limit: limit)
        else { return [] }
        isCrowded.store(false, ordering: .relaxed)
        return pending.takeResumes()
    }

    /// Adds an entry, or loses a value as the policy says. Returns the lost value if it was waiting.
    private func admit(
        _ entry: PendingEvents<Downstream>.Entry,
        to pending: inout PendingEvents<Downstream>
    ) -> PendingEvents<Downstream>.Entry? {
        if pending.lostToFailure > 0 {
            pending.lostToFailure += 1
            pending.lost += 1
            return nil
        }
        if pending.append(entry, limit: limit) { return nil }
        pending.lost += 1
        switch overflow {
        case .pause, .dropNewest:
            pending.appendLoss(of: 1)
            return nil
        case .dropOldest:
            guard let oldest = pending.loseOldest() else {
                pending.appendLoss(of: 1)
                return nil
            }
            _ = pending.append(entry, limit: limit)
            return oldest
        case .fail(let makeFailure):
            pending.lostToFailure = 1
            // Made when it is delivered, so that the number includes values lost until then.
            pending.append(
                .perform { [self] _, _ in
                    let count = self.pending.withLock { $0.lostToFailure }
                    terminateNext(.failed(makeFailure(count)))
                }
            )
            return nil
        }
    }
}
