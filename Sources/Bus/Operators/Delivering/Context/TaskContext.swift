/// A value that belongs to a task, and how it is read and set: a trace, a logger, the number of a request.
///
/// A scheduler's thread runs outside the task that sent a value, so it does not see the task's values.
/// ``Signal/capturing(_:)`` and ``Signal/bound(to:)`` carry one of them over.
///
/// `TaskContext(ServiceContext.$current)` is what swift-service-context needs. It is no dependency of this package.
///
/// ```swift
/// import Bus
///
/// enum Request {
///     @TaskLocal static var id: Int?
/// }
/// let requests = Subject(of: String.self)
/// let worker = ThreadScheduler(name: "worker")
/// let context = TaskContext(Request.$id)
/// let subscription = requests.capturing(context).deliver(on: worker).bound(to: context)
///     .subscribe(next: { path in print(path, Request.id ?? 0) })
/// Request.$id.withValue(7) { requests.send("/status") }
/// ```
public struct TaskContext<Content: Sendable>: Sendable {
    @usableFromInline let current: @Sendable () -> Content
    @usableFromInline let bind: @Sendable (Content, () -> Void) -> Void

    /// The context that two closures read and set.
    ///
    /// - Parameters:
    ///   - current: reads the content on the thread that sends.
    ///   - bind: sets the content and calls the closure once, before it returns.
    public init(
        current: @escaping @Sendable () -> Content,
        bind: @escaping @Sendable (_ content: Content, _ body: () -> Void) -> Void
    ) {
        self.current = current
        self.bind = bind
    }

    /// The context of a task-local value.
    public init(_ local: TaskLocal<Content>) {
        self.init(current: { local.get() }, bind: { local.withValue($0, operation: $1) })
    }
}
