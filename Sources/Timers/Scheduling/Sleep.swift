import Bus

extension TimedScheduler {
    /// Waits until this scheduler's clock shows `deadline`, never less, without blocking a thread.
    ///
    /// The task resumes on this scheduler. A cancelled sleep ends at once, and its timer is freed at once.
    /// - Throws: `CancellationError`, when the task is cancelled; also when it was cancelled before.
    public func sleep(until deadline: TimerInstant) async throws {
        let sleep = PendingSleep()
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard sleep.begin(continuation) else { return }
                sleep.waits(on: schedule(at: deadline) { sleep.end(isOver: true) })
            }
        } onCancel: {
            sleep.end(isOver: false)
        }
        if !isOver { throw CancellationError() }
    }

    /// ``sleep(until:)``, `duration` from now.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}

/// A sleeping task: it resumes once, when its timer runs or when it is cancelled, whichever comes first.
private final class PendingSleep: Sendable {
    private enum State {
        case fresh
        case sleeping(CheckedContinuation<Bool, Never>, TimerHandle?)
        case ended
    }

    private let state = Lock(State.fresh)

    /// - Returns: false when the task was cancelled already; it then goes on at once.
    func begin(_ continuation: CheckedContinuation<Bool, Never>) -> Bool {
        let isFresh = state.withLock { state -> Bool in
            guard case .fresh = state else { return false }
            state = .sleeping(continuation, nil)
            return true
        }
        if !isFresh { continuation.resume(returning: false) }
        return isFresh
    }

    /// Sets the timer to cancel when the task is cancelled.
    func waits(on handle: TimerHandle) {
        let isSleeping = state.withLock { state -> Bool in
            guard case .sleeping(let continuation, _) = state else { return false }
            state = .sleeping(continuation, handle)
            return true
        }
        // It was cancelled meanwhile, or the timer has run and this does nothing.
        if !isSleeping { handle.cancel() }
    }

    func end(isOver: Bool) {
        let ended = state.withLock { state -> (CheckedContinuation<Bool, Never>, TimerHandle?)? in
            defer { state = .ended }
            guard case .sleeping(let continuation, let handle) = state else { return nil }
            return (continuation, handle)
        }
        guard let (continuation, handle) = ended else { return }
        if !isOver { handle?.cancel() }
        continuation.resume(returning: isOver)
    }
}
