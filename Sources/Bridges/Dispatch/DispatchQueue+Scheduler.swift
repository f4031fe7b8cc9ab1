public import Bus
public import Dispatch

/// A queue as a scheduler: `signal.deliver(on: queue)`.
///
/// Work runs as `async` runs it. On a concurrent queue the pieces of work of one `deliver(on:)` still run one at a
/// time, for it never has two.
extension DispatchQueue: Scheduler {
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        if getSpecific(key: Self.identity) == nil { setSpecific(key: Self.identity, value: ObjectIdentifier(self)) }
        async(execute: work)
    }

    /// Whether the caller runs on this queue, or on one that targets it and was given no work as a scheduler itself.
    public var isCurrent: Bool {
        DispatchQueue.getSpecific(key: Self.identity) == ObjectIdentifier(self)
    }

    /// The queue's label.
    public var description: String { label }

    /// Marks each queue with itself, for Dispatch has no call that names the current queue.
    private static let identity = DispatchSpecificKey<ObjectIdentifier>()
}
