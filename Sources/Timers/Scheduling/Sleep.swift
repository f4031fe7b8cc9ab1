import Bus

extension TimedScheduler {
    /// Waits until this scheduler's clock shows `deadline`, never less, without blocking a thread.
    ///
    /// The task resumes on this scheduler. A cancelled sleep ends at once, and its timer is freed at once.
    /// - Throws: `CancellationError`, when the task is cancelled; also when it was cancelled before.
    public func sleep(until deadline: TimerInstant) async throws {
        let sleep = Waiter<Bool>()
        let isOver = await sleep.outcome(ifCancelled: false) {
            let timer = schedule(at: deadline) { sleep.end(with: true) }
            return { timer.cancel() }
        }
        if !isOver { throw CancellationError() }
    }

    /// ``sleep(until:)``, `duration` from now.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}
