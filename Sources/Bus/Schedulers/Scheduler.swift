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
/// Dispatch queues are schedulers in `Bridges`. Schedulers that also know the time are in `Timers`; the one for
/// tests, with virtual time, is in `BusTesting`.
///
/// A scheduler starts work in the order in which it was given. Operators never give it a second piece of work before
/// the first has run, so that even a concurrent scheduler keeps their events in order.
public protocol Scheduler: Sendable {
    /// Runs `work` in its turn. Does not wait for it.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Whether the caller is running on this scheduler, so that waiting for it might never end.
    var isCurrent: Bool { get }

    /// Its name in a ``Chain``: `deliver(main)`. By default the name of its type.
    var name: String { get }
}

extension Scheduler {
    public var name: String { Chain.name(of: Self.self) }
}

/// Runs work at once, on the calling thread, before `schedule` returns.
public struct ImmediateScheduler: Scheduler {
    /// A scheduler without state: each is as good as any other.
    public init() {}

    public func schedule(_ work: @escaping @Sendable () -> Void) { work() }

    public var isCurrent: Bool { true }

    public var name: String { "immediate" }
}

extension Scheduler {
    /// Runs work here, and waits for what it returns.
    package func result<Success: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let waiter = Waiter<Result<Success, Failure>>()
        schedule { waiter.end(with: Result(catching: work)) }
        return try await waiter.outcome().get()
    }
}
