public import Bus

/// A thread of its own that runs work one piece at a time, in the order given, and waits for its timers itself.
///
/// ```swift
/// import Timers
///
/// let punctual = try TimerScheduler(on: TimerThread(name: "my-timers"))
/// ```
///
/// The timers of a ``TimerScheduler`` or ``WallScheduler`` on a `ThreadScheduler` or a Dispatch queue wake two threads:
/// the package's waiting thread, and the one that runs them. On this one they wake one. What is due runs before other
/// work that waits; in turns, as always, so that neither holds up the other.
///
/// Work may block; it delays what is on the same thread and nothing else. The queue of work is not bounded. With nothing
/// to do the thread sleeps. It ends when this and the timers' schedulers on it are released, and all work is done.
public final class TimerThread: Scheduler {
    package let loop: EventLoop
    public let description: String

    /// Starts the thread. It holds two descriptors.
    ///
    /// - Parameter name: what `ps -L` shows for the thread; the first 15 bytes count.
    /// - Throws: ``TimerError`` when the system has no descriptor or thread to give.
    public init(name: String) throws(TimerError) {
        description = name
        loop = EventLoop(name: name)
        do throws(EventLoopError) {
            try loop.start()
        } catch {
            throw TimerError(error)
        }
    }

    public func schedule(_ work: @escaping @Sendable () -> Void) { loop.performOnStarted(work) }

    public var isCurrent: Bool { loop.isCurrent }

    /// Where timers on `scheduler` are waited for.
    static func loop(for scheduler: some Scheduler) -> EventLoop { (scheduler as? TimerThread)?.loop ?? .shared }
}
