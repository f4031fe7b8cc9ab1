import Bus
public import Glibc
import Timers

extension ChildProcess {
    /// The children whose subscription is over and that have not ended yet. One that stays here beyond its grace period
    /// waits inside the kernel, for a disk or a network file system that does not answer, or it runs as another user
    /// by now; it is waited for, and nothing else does.
    public static var ending: Set<pid_t> { EndingChildren.pids }
}

/// What is left of subscriptions that are over.
enum EndingChildren {
    private static let list = Lock<Set<pid_t>>([])

    /// When to kill; on a thread of their own, for others may be busy with what hears the children. Nil when the system
    /// has none to give: then they are killed at once.
    static let timers: TimerScheduler? = {
        do throws(TimerError) {
            return try TimerScheduler(on: ThreadScheduler(name: "bus-children"))
        } catch {
            return nil
        }
    }()

    static var pids: Set<pid_t> { list.withLock { $0 } }

    static func add(_ pid: pid_t) { list.withLock { _ = $0.insert(pid) } }

    static func remove(_ pid: pid_t) { list.withLock { _ = $0.remove(pid) } }
}
