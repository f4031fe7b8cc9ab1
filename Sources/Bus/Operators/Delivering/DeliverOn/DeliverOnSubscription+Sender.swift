import Synchronization

/// The sender's side.
extension DeliverOnSubscription where Downstream: ~Copyable {
    @inlinable
    func next(_ value: Value) -> Demand {
        guard isWanted else { return .stop }
        if !line.hasPlace, let demand = makePlace(for: value) { return demand }
        if !line.add(value), line.attend() { scheduleDrain() }
        return line.room > 0 ? .more : demandWhenFull()
    }

    /// Makes a place for a value. Where there can be none, it handles the value and returns the demand for the
    /// sender.
    @usableFromInline
    @inline(never)
    func makePlace(for value: Value) -> Demand? {
        let answer = state.withLock { state -> Line.Answer in
            let answer = line.makePlace(for: value, &state.line)
            if case .lostAndPaused = answer { phase.pause() }
            return answer
        }
        return switch answer {
        case .place: nil
        case .lost, .replaced: .more
        case .lostAndPaused: phase.demand
        case .refused: .stop
        }
    }

    @usableFromInline
    @inline(never)
    func demandWhenFull() -> Demand {
        state.withLock { state in
            if line.isFull(), state.line.record.pausesSource { phase.pause() }
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
        change { $0.line.record.lose(count, behind: line.waiting) }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        let listener = Listener.ending
        if let listener { waits(listener) }
        change { state in
            state.line.record.terminate(termination)
            if !phase.isClosed { state.listener = listener }
        }
    }

    /// Notes something, and makes sure that it is delivered.
    @usableFromInline
    func change(_ body: (inout State) -> Void) {
        let isFirst = state.withLock { state -> Bool in
            body(&state)
            return !line.isEmpty(state.line) && line.attend()
        }
        if isFirst { scheduleDrain() }
    }

    /// Upstream's `subscribe` has returned.
    @usableFromInline
    func subscribed(_ handle: any Disposable) {
        upstream.set(handle)
        let endsHere = state.withLock { state -> Bool in
            state.isSubscribed = true
            return !isWanted && !state.line.record.isClosed
        }
        if endsHere {
            handle.dispose()
            terminate(.completed)
        }
    }
}
