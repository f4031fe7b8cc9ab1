/// Runs work on an executor of Swift's concurrency, in the order given, one piece at a time.
///
/// Work that has gathered runs together, without suspending; work that comes meanwhile lets others on the executor go
/// first. The executor is held as long as the scheduler, and as
/// long as work is left.
public final class ExecutorScheduler: Scheduler {
    private let queue = WorkQueue()
    private let run: @Sendable (WorkQueue) async -> Bool
    private let preference: (any TaskExecutor)?
    public let name: String

    /// Work on a serial executor, such as an actor's or a serial Dispatch queue's.
    public init(_ executor: any SerialExecutor) {
        let stage = Stage(executor)
        run = { queue in await stage.run(queue) }
        preference = nil
        name = Chain.name(of: type(of: executor))
    }

    /// Work on a task executor, which may have several threads: one of them at a time.
    public init(_ executor: any TaskExecutor) {
        run = { queue in queue.runWaiting() }
        preference = executor
        name = Chain.name(of: type(of: executor))
    }

    public func schedule(_ work: @escaping @Sendable () -> Void) {
        guard queue.add(work) else { return }
        Task(executorPreference: preference) { [queue, run] in
            while await run(queue) { await Task.yield() }
        }
    }

    /// Always true inside a Swift task: the package does not know which code shares an executor's threads, and must
    /// not block any of it.
    public var isCurrent: Bool { withUnsafeCurrentTask { $0 != nil } }

    /// An actor on a given executor, to isolate work to.
    private actor Stage {
        private nonisolated let executor: any SerialExecutor

        init(_ executor: any SerialExecutor) {
            self.executor = executor
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func run(_ queue: WorkQueue) -> Bool { queue.runWaiting() }
    }
}
