import Bus
import Timers

/// One subscription to a watchdog: its health signals, and its action at each look.
final class WatchdogRun: Disposable {
    private let manager: ServiceManager
    private let heartbeats: [Heartbeat]
    private let subscriptions = CompoundDisposable()
    private let plan: Lock<PingPlan>

    init(
        _ manager: ServiceManager,
        _ health: [HealthSignal],
        _ action: StallAction,
        now: @escaping @Sendable () -> TimerInstant
    ) {
        self.manager = manager
        plan = Lock(PingPlan(whenStalled: action))
        heartbeats = health.map { Heartbeat($0, now: now) }
        for (signal, heartbeat) in zip(health, heartbeats) { subscriptions.add(signal.listen(heartbeat)) }
    }

    func look(at instant: TimerInstant) -> WatchdogReport? {
        let stalled = heartbeats.compactMap { $0.stall(at: instant) }
        let action = plan.withLock { $0.quarter(isStalled: !stalled.isEmpty) }
        do throws(NotifyError) {
            let report = try perform(action, stalled)
            plan.withLock { $0.done(action) }
            return report
        } catch {
            return .unsent(error)
        }
    }

    /// Nothing waits here: all timers share the scheduler.
    private func perform(_ action: PingPlan.Action, _ stalled: [StalledHealth]) throws(NotifyError) -> WatchdogReport? {
        switch action {
        case .none: return nil
        case .withhold: return .withheld(stalled)
        case .ping:
            _ = try manager.send([.alive], patience: .zero)
            return .pinged
        case .trigger:
            _ = try manager.send([.broken], patience: .zero)
            return .triggered(stalled)
        }
    }

    func dispose() { subscriptions.dispose() }

    var isDisposed: Bool { subscriptions.isDisposed }
}
