import Bus
import Timers

/// The subscriptions to a source, with their times.
final class SubscriptionLog: Sendable {
    private struct State: Sendable {
        var windows: [SubscriptionWindow] = []
        var live = 0
    }

    private let clock: (@Sendable () -> TimerInstant)?
    private let state = Lock(State())

    init(_ clock: TestScheduler?) {
        self.clock = clock?.reading
    }

    var live: Int { state.withLock { $0.live } }

    var windows: [SubscriptionWindow] { state.withLock { $0.windows } }

    /// Notes a subscription; disposing of the returned handle notes its end.
    func enter() -> ActionDisposable {
        let start = now
        let index = state.withLock { state in
            state.live += 1
            state.windows.append(SubscriptionWindow(from: start))
            return state.windows.count - 1
        }
        return ActionDisposable {
            let end = self.now
            self.state.withLock { state in
                state.live -= 1
                state.windows[index] = SubscriptionWindow(from: start, to: end)
            }
        }
    }

    private var now: TimerInstant { clock?() ?? TimerInstant(nanoseconds: 0) }
}
