public import Bus

/// The one timer that a subscription has at a time: setting another replaces it, disposing cancels it for good.
@usableFromInline
package final class SerialTimer: Disposable {
    private struct State {
        var handle: TimerHandle?
        /// How many timers were set; only the last one counts.
        var count: UInt64 = 0
        var isDisposed = false
    }

    private let state = Lock(State())

    @usableFromInline
    package init() {}

    /// Schedules `work` as the timer. After disposal, does nothing.
    @usableFromInline
    package func schedule(
        at deadline: TimerInstant,
        on scheduler: some TimedScheduler,
        _ work: @escaping @Sendable () -> Void
    ) {
        let number = state.withLock { state -> UInt64? in
            guard !state.isDisposed else { return nil }
            state.count += 1
            return state.count
        }
        guard let number else { return }
        let handle = scheduler.schedule(at: deadline, work)
        let superfluous = state.withLock { state -> TimerHandle? in
            // A timer that is due may run, and set the next one, before its own handle is here.
            guard !state.isDisposed, state.count == number else { return handle }
            defer { state.handle = handle }
            return state.handle
        }
        superfluous?.cancel()
    }

    @usableFromInline
    package func dispose() {
        let handle = state.withLock { state -> TimerHandle? in
            state.isDisposed = true
            return state.handle.take()
        }
        handle?.cancel()
    }

    @usableFromInline
    package var isDisposed: Bool { state.withLock { $0.isDisposed } }
}
