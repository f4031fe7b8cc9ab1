/// Runs work one piece at a time on a thread of its own, in the order given.
///
/// The thread starts with the first piece of work and ends when the scheduler is released and all work is done. Work
/// may block; it delays only other work of the same scheduler. The queue of work is not bounded: bound the sender of
/// the work, as `deliver(on:)` does, which never has more than one piece here. With nothing to do the thread sleeps.
///
/// The thread itself waits for the timers on this scheduler, between two pieces of work, and wakes no other thread.
///
/// If the system refuses the thread (`ulimit -u`, `TasksMax=`, memory), ``schedule(_:)`` tries again for a second. If that
/// fails, it ends the process with a message, because the work was accepted and could never run. To get an error
/// instead, make a `TimerScheduler` on it first: that starts the thread, and throws.
///
/// A child made by fork(2) has no thread of its parent. Work that it gives to a scheduler whose thread ran before the
/// fork ends it with a message.
public final class ThreadScheduler: Scheduler {
    /// Serves everything that was given no scheduler: timers, OS signals, descriptors.
    public static let shared = ThreadScheduler(name: "bus-events")

    package let thread: WorkThread

    /// - Parameter name: the name that `ps -L` shows for the thread; the first 15 bytes count.
    public init(name: String) {
        thread = WorkThread(name: name)
    }

    deinit {
        thread.retire()
    }

    public func schedule(_ work: @escaping @Sendable () -> Void) {
        thread.checkProcess()
        // The thread does not end before this is released, so the work is taken.
        _ = thread.add(work)
    }

    public var name: String { thread.name }

    public var isCurrent: Bool { thread.isCurrent }
}
