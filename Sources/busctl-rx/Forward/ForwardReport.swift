import Bus
import Forwarding
import SystemdBridge
import Timers

/// Says how forwarding goes: on the terminal, to the service manager, and after SIGUSR1.
struct ForwardReport: Sendable {
    /// The time between two lines on a terminal, and between two texts for the service manager.
    private static let (linePeriod, statusPeriod) = (Duration.milliseconds(250), Duration.seconds(5))

    let statistics: ForwardStatistics
    let manager: ServiceManager
    /// Whether to say the numbers after SIGUSR1.
    let tellsNumbers: Bool
    /// Whether the last text could not be sent, which is reported once.
    private let isUntold = Lock(false)

    /// - Parameter thread: the thread that writes. While it is blocked, nothing is said, and the manager gets no sign of life.
    func start(on thread: ThreadScheduler) -> any Disposable {
        let running = CompoundDisposable()
        if StatusLine.isPossible {
            running.add(
                Signals.interval(every: Self.linePeriod).deliver(on: thread, limit: 1, overflow: .dropNewest)
                    .subscribe { [statistics] _ in StatusLine.show("busctl-rx: \(statistics.text())") }
            )
        }
        if manager.isSupervised {
            running.add(
                Signals.interval(every: Self.statusPeriod).deliver(on: thread, limit: 1, overflow: .dropNewest)
                    .subscribe { _ in tellManager() }
            )
            if let interval = manager.watchdogInterval { running.add(watchdog(interval, thread)) }
        }
        if tellsNumbers { running.add(RunStatistics.telling { [statistics] in statistics.line() }) }
        return running
    }

    private func tellManager() {
        do throws(NotifyError) {
            try manager.notify(.status(statistics.text()))
            isUntold.withLock { $0 = false }
        } catch {
            let isKnown = isUntold.withLock { isUntold in
                defer { isUntold = true }
                return isUntold
            }
            if !isKnown { StandardError.report("cannot tell the service manager how forwarding goes: \(error)") }
        }
    }

    private func watchdog(_ interval: Duration, _ thread: ThreadScheduler) -> any Disposable {
        let movement = statistics.movement.deliver(on: thread, limit: 1, overflow: .dropNewest)
        return manager.watchdog(gatedOn: [HealthSignal("forwarding", movement, within: interval * 3 / 4)])
            .subscribe { report in
                switch report {
                case .pinged: break
                case .withheld(let stalled), .triggered(let stalled):
                    for health in stalled { StandardError.report("\(health) although something waits") }
                case .unsent(let error): StandardError.report("cannot tell the service manager of life: \(error)")
                }
            }
    }
}
