import Synchronization

/// The sender's side.
extension DeliverOnSubscription where Downstream: ~Copyable {
    @inlinable
    func next(_ value: Value) -> Demand {
        guard isWanted else { return .stop }
        if !queue.hasSlot, let demand = makeSlot(for: value) { return demand }
        if !queue.add(value), queue.attend() { scheduleDrain() }
        return queue.freeSlots > 0 ? .more : demandWhenFull()
    }

    /// Makes a slot for a value. Where there can be none, it handles the value and returns the demand for the
    /// sender.
    @usableFromInline
    @inline(never)
    func makeSlot(for value: Value) -> Demand? {
        let answer = state.withLock { state -> Queue.Answer in
            let answer = queue.makeSlot(for: value, &state.queue)
            if case .lostAndPaused = answer { phase.pause() }
            return answer
        }
        return switch answer {
        case .slot: nil
        case .lost, .replaced: .more
        case .lostAndPaused: phase.demand
        case .refused: .stop
        }
    }

    @usableFromInline
    @inline(never)
    func demandWhenFull() -> Demand {
        state.withLock { state in
            if queue.isFull(), state.queue.record.pausesSource { phase.pause() }
        }
        return phase.demand
    }

    @usableFromInline
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        // Room is made under the lock, and the closures to call are looked for there.
        state.whenReady(resume) { _ in phase.demand }
    }

    @usableFromInline
    func lost(_ count: Int) {
        change { $0.queue.record.lose(count, behind: queue.waiting) }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        let listener = Listener.ending
        if let listener { waits(listener) }
        change { state in
            state.queue.record.terminate(termination)
            if !phase.isClosed { state.listener = listener }
        }
    }

    /// Notes something, and makes sure that it is delivered.
    @usableFromInline
    func change(_ body: (inout State) -> Void) {
        let isFirst = state.withLock { state -> Bool in
            body(&state)
            return !queue.isEmpty(state.queue) && queue.attend()
        }
        if isFirst { scheduleDrain() }
    }

    /// Upstream's `subscribe` has returned.
    @usableFromInline
    func subscribed(_ handle: any Disposable) {
        upstream.set(handle)
        let endsHere = state.withLock { state -> Bool in
            state.isSubscribed = true
            return !isWanted && !state.queue.record.isClosed
        }
        if endsHere {
            handle.dispose()
            terminate(.completed)
        }
    }
}
