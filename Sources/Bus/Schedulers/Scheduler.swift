/// Where and when work runs.
///
/// | scheduler | runs work |
/// | --- | --- |
/// | ``ImmediateScheduler`` | at once, on the calling thread |
/// | ``ThreadScheduler`` | one piece at a time, on a thread of its own |
/// | ``ConcurrentScheduler`` | several pieces at a time, on a bounded number of threads |
/// | ``ActorScheduler`` | isolated to an actor |
/// | ``ExecutorScheduler`` | on a serial or a task executor |
///
/// Dispatch queues are schedulers in `Bridges`; those that also know the time are in `Timers`, the one for tests, with
/// virtual time, in `BusTesting`.
///
/// A scheduler starts what it is given in the order it was given. Operators never give it a second piece of work before
/// the first has run, so that even a concurrent one keeps their events in order.
public protocol Scheduler: Sendable {
    /// Runs `work` in its turn. Does not wait for it.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Whether the caller is running on this scheduler, so that waiting for it might never end.
    var isCurrent: Bool { get }

    /// What it is called in a ``Chain``: `deliver(main)`. The type's name, unless it says otherwise.
    var description: String { get }
}

extension Scheduler {
    public var description: String { Chain.name(of: Self.self) }
}
