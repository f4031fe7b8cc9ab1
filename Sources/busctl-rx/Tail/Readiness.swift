import Bus
import SystemdBridge

/// Tells the service manager, if one started this process, that all that comes from now on is heard.
final class Readiness: Sendable {
    let manager: ServiceManager
    /// How many sources have not sent all their old records; `nil` when nobody waits for that.
    private let waiting: Lock<Int?>

    /// Make it before there are other threads: it removes the manager's variables from the environment, so that a
    /// child does not take itself for the service.
    ///
    /// - Parameter sources: how many there are; `nil` for a run that ends by itself.
    init(sources: Int?) {
        manager = ServiceManager(removingFromEnvironment: true)
        waiting = Lock(sources)
    }

    /// One more source waits for new records. Called on the thread that writes, which may be blocked.
    func caughtUp() {
        let isReady = waiting.withLock { waiting -> Bool in
            guard let count = waiting else { return false }
            waiting = count > 1 ? count - 1 : nil
            return count <= 1
        }
        guard isReady else { return }
        do throws(NotifyError) {
            try manager.notify(.ready)
        } catch {
            StandardError.report("cannot tell the service manager that reading has begun: \(error)")
        }
    }
}
