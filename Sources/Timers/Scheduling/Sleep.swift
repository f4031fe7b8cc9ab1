import Bus

extension TimedScheduler {
    /// Waits until this scheduler's clock shows `deadline`, never less, without blocking a thread.
    ///
    /// The timer runs on this scheduler. The task goes on where its own isolation or executor says. A cancelled sleep ends
    /// at once, and its timer is freed at once.
    ///
    /// - Throws: `CancellationError`, when the task is cancelled; also when it was cancelled before.
    public func sleep(until deadline: TimerInstant) async throws {
        let sleep = Waiter<Bool>()
        let isOver = await sleep.outcome(ifCancelled: false) {
            let timer = schedule(at: deadline) { sleep.end(with: true) }
            return { timer.cancel() }
        }
        if !isOver { throw CancellationError() }
    }

    /// Waits for `duration`: ``sleep(until:)`` with the sum.
    ///
    /// - Throws: `CancellationError`, when the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}
