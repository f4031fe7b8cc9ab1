/// Runs work one piece at a time on a thread of its own, in the order given.
///
/// The thread starts with the first piece of work and ends when the scheduler is released and all work is done. Work
/// may block; it delays only what was given to the same scheduler. The queue of work is not bounded: bound what feeds
/// it, as `deliver(on:)` does, which never has more than one piece here. With nothing to do the thread sleeps.
///
/// Timers on it are waited for by the thread itself, between two pieces of work, and wake no other.
public final class ThreadScheduler: Scheduler {
    /// Serves everything that was given no scheduler: timers, OS signals, descriptors.
    public static let shared = ThreadScheduler(name: "bus-events")

    package let thread: WorkThread

    /// - Parameter name: what `ps -L` shows for the thread; the first 15 bytes count.
    public init(name: String) {
        thread = WorkThread(name: name)
    }

    deinit {
        thread.retire()
    }

    public func schedule(_ work: @escaping @Sendable () -> Void) {
        // It ends no sooner than this is released, so the work is taken.
        _ = thread.add(work)
    }

    public var description: String { thread.name }

    public var isCurrent: Bool { thread.isCurrent }
}
