import Synchronization

/// The side of the thread that made the room.
extension SubscriberQueue where Downstream: ~Copyable {
    /// Asks the subscriber to call back. Called by the thread that owns the downstream.
    ///
    /// - Returns: ``Demand/pause`` when it will; then the caller no longer touches the downstream. Otherwise the caller goes
    ///   on.
    func askForRoom() -> Demand {
        state.withLock { state in
            state.isDraining = true
            state.isAsking = true
            state.hasCalledBack = false
        }
        let demand = downstream?.whenReady { self.calledBack() } ?? .stop
        let now = demand == .pause ? MonotonicTime.nanoseconds : 0
        let (answer, isLast) = state.withLock { state -> (Demand, Bool) in
            state.isAsking = false
            guard demand == .pause else { return (demand, false) }
            if state.hasCalledBack { return (.more, false) }
            state.isDraining = false
            state.pause(at: now)
            let isLast = state.isAbandoned && mode.load(ordering: .relaxed) != Self.holding && state.claimsRelease()
            return (.pause, isLast)
        }
        if isLast { downstream = nil }
        return answer
    }

    private func calledBack() {
        let isDrainer = state.withLock { state -> Bool in
            // The asker continues when the subscriber has returned.
            if state.isAsking { state.hasCalledBack = true }
            guard !state.isAsking, mode.load(ordering: .relaxed) == Self.holding else { return false }
            state.isDraining = true
            state.pausedAt = 0
            return true
        }
        if isDrainer { drain() }
    }

    /// Sends the waiting values, until the subscriber pauses again, nothing waits, or enough was delivered for other
    /// threads. Called by the thread that owns the downstream.
    func drain() {
        let budget = DeliveryBudget(.sender)
        let thread = pthreadSelf()
        while true {
            let isSpent = budget.isSpent
            let (entry, isForeign, resume) = state.withLock {
                state -> (PendingEvents<Downstream>.Entry?, Bool, (@Sendable () -> Void)?) in
                let isForeign = state.pending.nextIsForeign(to: thread)
                guard mode.load(ordering: .relaxed) == Self.holding, !(isForeign && isSpent),
                    let entry = state.pending.pop()
                else { return (nil, isForeign, nil) }
                return (entry, isForeign, state.pending.values <= limit / 2 ? state.resume.take() : nil)
            }
            resume?()
            guard let entry else {
                if handBack() { return }
                guard isForeign, isSpent else { continue }
                // The package's thread owns the downstream from now on.
                return DeliveryThread.run { [self] in drain() }
            }
            if isForeign { budget.spend() }
            switch entry {
            case .next(let value):
                switch downstream?.next(value) ?? .stop {
                case .more: continue
                case .pause: if waitsAgain() { return }
                case .stop: return stop()
                }
            case .lost(let count): downstream?.lost(count)
            case .terminate: return stop()
            case .input, .update, .perform, .abandon: break
            }
        }
    }

    /// Gives the subscriber back to the sender, when nothing waits. False when something does.
    private func handBack() -> Bool {
        let answer = state.withLock { state -> (isDone: Bool, isLast: Bool, resume: (@Sendable () -> Void)?) in
            let isHolding = mode.load(ordering: .relaxed) == Self.holding
            if isHolding, !state.pending.isEmpty { return (false, false, nil) }
            state.isDraining = false
            if isHolding { mode.store(Self.direct, ordering: .releasing) }
            return (true, state.isAbandoned && state.claimsRelease(), state.resume.take())
        }
        guard answer.isDone else { return false }
        // Its sender has gone, and left the downstream to this drainer.
        if answer.isLast { downstream = nil }
        answer.resume?()
        return true
    }

    /// Waits for the subscriber to call back again. False when there is room already.
    private func waitsAgain() -> Bool {
        switch askForRoom() {
        case .pause: return true
        case .more: return false
        case .stop:
            stop()
            return true
        }
    }

    private func stop() {
        finish()
        state.withLock { $0.isDraining = false }
    }
}
