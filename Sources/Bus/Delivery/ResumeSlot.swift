/// The state of a queue under a ``Lock``, with a slot for the closure that a paused sender left to be called when there is room.
///
/// A closure that leaves the slot is called, or released, when the lock is free: its captures may run any code.
/// The thread that makes room takes it under the lock, so that none is left behind.
@usableFromInline
package protocol ResumeSlot {
    var resume: (@Sendable () -> Void)? { get set }
}

extension Lock where State: ResumeSlot {
    /// Answers ``Observer/whenReady(_:)`` with `demand`, and keeps the closure if that is to pause. It replaces an earlier one.
    @usableFromInline
    package func whenReady(_ resume: @escaping @Sendable () -> Void, _ demand: (inout State) -> Demand) -> Demand {
        let (answer, former) = withLock { state -> (Demand, (@Sendable () -> Void)?) in
            let answer = demand(&state)
            guard answer == .pause else { return (answer, nil) }
            defer { state.resume = resume }
            return (answer, state.resume)
        }
        withExtendedLifetime(former) {}
        return answer
    }

    /// Releases the closure, because nobody is to be called any more.
    @usableFromInline
    package func dropResume() {
        let former = withLock { state -> (@Sendable () -> Void)? in state.resume.take() }
        withExtendedLifetime(former) {}
    }
}
