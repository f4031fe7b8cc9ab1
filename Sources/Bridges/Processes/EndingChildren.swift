import Bus
public import Glibc
import Timers

extension ChildProcess {
    /// The children whose subscription is over and that have not ended yet. A child that stays here beyond its grace
    /// period waits inside the kernel, for a disk or a network file system that does not answer, or it runs as
    /// another user by now. Its end is awaited, and nothing else waits.
    public static var ending: Set<pid_t> { EndingChildren.pids }
}

/// The children of ended subscriptions.
enum EndingChildren {
    private static let list = Lock<Set<pid_t>>([])

    /// The timers that kill; on a thread of their own, because others may be busy with the listeners to the children.
    /// Nil when the system could not create the thread: then children are killed at once.
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
