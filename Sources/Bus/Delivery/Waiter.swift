/// One outcome that a task or a thread waits for. The first that is said counts, and later ones change nothing.
///
/// Any thread says the outcome, before or after somebody waits for it. One waits, once. Work that was begun to bring the
/// outcome can be called off when the waiting task is cancelled; after an outcome it is left alone, because it is done.
package final class Waiter<Outcome: Sendable>: Sendable {
    private enum Phase: Sendable {
        case open
        case awaited(@Sendable (Outcome) -> Void)
        /// Said before anybody waited.
        case said(Outcome)
        case over
    }

    private struct State: Sendable {
        var phase = Phase.open
        var isCancelled = false
        var callOff: (@Sendable () -> Void)?

        var isOpen: Bool {
            switch phase {
            case .open, .awaited: true
            case .said, .over: false
            }
        }
    }

    private let state = Lock(State())

    package init() {}

    /// Whether an outcome would still make a difference.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Says the outcome.
    package func end(with outcome: Outcome) { end(with: outcome, isCancelled: false) }

    private func end(with outcome: Outcome, isCancelled: Bool) {
        let (hear, callOff) = state.withLock { state -> ((@Sendable (Outcome) -> Void)?, (@Sendable () -> Void)?) in
            switch state.phase {
            case .said, .over: return (nil, nil)
            case .open:
                state.phase = .said(outcome)
                state.isCancelled = isCancelled
                return (nil, state.callOff.take())
            case .awaited(let hear):
                state.phase = .over
                state.isCancelled = isCancelled
                return (hear, state.callOff.take())
            }
        }
        if isCancelled { callOff?() }
        hear?(outcome)
    }

    /// Keeps what calls the work off: run when the waiting task is cancelled, at once if it was, and released with the outcome.
    package func onCancel(_ callOff: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state -> Bool in
            if state.isOpen { state.callOff = callOff }
            return state.isCancelled
        }
        if isCancelled { callOff() }
    }

    // MARK: Waiting; one of these, once

    /// Calls `hear` with the outcome: on the thread that says it, or here, if it is said already.
    package func then(_ hear: @escaping @Sendable (Outcome) -> Void) {
        let said = state.withLock { state -> Outcome? in
            guard case .said(let outcome) = state.phase else {
                state.phase = .awaited(hear)
                return nil
            }
            state.phase = .over
            return outcome
        }
        if let said { hear(said) }
    }

    /// The outcome, as soon as there is one.
    package func outcome(isolation actor: isolated (any Actor)? = #isolation) async -> Outcome {
        await withCheckedContinuation { continuation in then { continuation.resume(returning: $0) } }
    }

    /// Begins the work, unless the task is cancelled already, and waits for the outcome.
    ///
    /// - Parameters:
    ///   - cancelled: the outcome when the task is cancelled before there is another.
    ///   - actor: where the caller goes on.
    ///   - start: begins the work, and returns what calls it off, if anything does.
    package func outcome(
        ifCancelled cancelled: Outcome,
        isolation actor: isolated (any Actor)? = #isolation,
        _ start: () -> (@Sendable () -> Void)? = { nil }
    ) async -> Outcome {
        await withTaskCancellationHandler {
            // Inside the handler, so that work that takes long to begin can be cancelled, too.
            if isOpen, let callOff = start() { onCancel(callOff) }
            return await outcome(isolation: actor)
        } onCancel: {
            end(with: cancelled, isCancelled: true)
        }
    }

    /// The outcome, as soon as there is one. Blocks the thread.
    package func outcomeOnThread() -> Outcome? {
        let latch = Latch()
        let heard = Lock<Outcome?>(nil)
        then { outcome in
            heard.withLock { $0 = outcome }
            latch.open()
        }
        latch.wait()
        return heard.withLock { $0 }
    }
}

extension Waiter {
    /// Waits for the answer of work that calls back.
    ///
    /// - Parameters:
    ///   - actor: where the caller goes on.
    ///   - start: begins the work, which calls its argument once, and returns what ends it. Disposed of if the task is cancelled.
    /// - Throws: the answer's error; `CancellationError`.
    package static func answer<Answer: Sendable, Failure: Error>(
        isolation actor: isolated (any Actor)? = #isolation,
        _ start: (@escaping @Sendable (Result<Answer, Failure>) -> Void) -> any Disposable
    ) async throws -> Answer where Outcome == Result<Answer, any Error> {
        let waiter = Waiter()
        return try await waiter.outcome(ifCancelled: .failure(CancellationError()), isolation: actor) {
            let work = start { waiter.end(with: $0.mapError { $0 }) }
            return { work.dispose() }
        }
        .get()
    }
}
