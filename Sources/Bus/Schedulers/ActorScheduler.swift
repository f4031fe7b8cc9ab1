/// Runs work isolated to an actor, in the order given.
///
/// `deliver(on: ActorScheduler(actor))` makes everything below it run there, where `actor.assumeIsolated` is allowed.
/// At the end of a chain, use
/// ``Signal/subscribe(isolatedTo:limit:overflow:next:failed:completed:lost:fileID:line:)``: then the compiler checks
/// the isolation.
///
/// Work that has gathered runs together, without suspending; work that comes meanwhile lets other callers of the actor go
/// first. An actor that is busy is not interrupted. The actor
/// is held as long as the scheduler is, and as long as work is left. The handle of a `deliver(on:)` holds the
/// scheduler.
public final class ActorScheduler<Target: Actor>: Scheduler {
    private let target: Lock<Target?>
    private let queue = WorkQueue()

    /// - Parameter target: the actor on which work runs, such as `MainActor.shared`.
    public init(_ target: Target) {
        self.target = Lock(target)
    }

    public func schedule(_ work: @escaping @Sendable () -> Void) {
        guard queue.add(work) else { return }
        let target = target.withLock { $0 }
        Task { [queue] in
            while await Self.run(queue, on: target) { await Task.yield() }
        }
    }

    /// Releases the actor: work that is still scheduled no longer calls it.
    func release() {
        let released = target.withLock { $0.take() }
        // Released after the lock: its deinitialiser may run any code.
        _ = released
    }

    private static func run(_ queue: WorkQueue, on target: isolated Target?) -> Bool { queue.runWaiting() }

    /// Always true inside a Swift task: an actor shares its threads with the others, and none may be made to wait
    /// there.
    public var isCurrent: Bool { withUnsafeCurrentTask { $0 != nil } }

    public var name: String { Chain.name(of: Target.self) }
}
