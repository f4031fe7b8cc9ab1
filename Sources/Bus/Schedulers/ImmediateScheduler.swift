/// Runs work at once, on the calling thread, before `schedule` returns.
public struct ImmediateScheduler: Scheduler {
    public init() {}

    public func schedule(_ work: @escaping @Sendable () -> Void) { work() }

    public var isCurrent: Bool { true }

    public var description: String { "immediate" }
}
