public import Bus
public import Dispatch

/// A queue as a scheduler: `signal.deliver(on: queue)`.
///
/// Work runs as `async` runs it. On a concurrent queue the pieces of work of one `deliver(on:)` still run one at a
/// time, because it never has two.
extension DispatchQueue: Scheduler {
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        if getSpecific(key: Self.marks) == nil { mark() }
        async(execute: work)
    }

    /// Whether the caller runs on this queue, or on one that targets it, directly or not, so that waiting for this queue
    /// might never end. False until the queue was first given work as a scheduler.
    public var isCurrent: Bool {
        guard let mark = getSpecific(key: Self.marks) else { return false }
        return DispatchQueue.getSpecific(key: mark) != nil
    }

    /// The queue's label.
    public var name: String { label }

    /// Dispatch has no call that names the current queue. But a value that is set under a key of the queue's own is
    /// found wherever its work runs, also through queues that target it.
    private func mark() {
        let mark = DispatchSpecificKey<Bool>()
        setSpecific(key: mark, value: true)
        // When two threads come here at once the queue has two marks, and one of them is looked for.
        setSpecific(key: Self.marks, value: mark)
    }

    /// The place of each queue's own key.
    private static let marks = DispatchSpecificKey<DispatchSpecificKey<Bool>>()
}
