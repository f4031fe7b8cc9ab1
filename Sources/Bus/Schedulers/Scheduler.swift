/// Where and when work runs.
///
/// A scheduler runs what it is given in the order it was given. Dispatch queues are schedulers in `Bridges`; those that
/// also know the time are in `Timers`.
public protocol Scheduler: Sendable {
    /// Runs `work` in its turn. Does not wait for it.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Whether the caller is running on this scheduler, so that waiting for it would never end.
    var isCurrent: Bool { get }
}
