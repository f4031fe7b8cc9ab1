/// A value with the context in which it was sent. See ``Signal/capturing(_:)``.
public struct InContext<Value: Sendable, Content: Sendable>: Sendable {
    /// The value that was sent.
    public let value: Value
    /// The content of the context when it was sent.
    public let content: Content

    /// A value with a content of the caller's choice.
    @inlinable
    public init(_ value: Value, content: Content) {
        self.value = value
        self.content = content
    }

    /// A value with the present content of a context.
    @inlinable
    public init(_ value: Value, capturing context: TaskContext<Content>) {
        self.init(value, content: context.current())
    }
}

extension InContext: Equatable where Value: Equatable, Content: Equatable {}
extension InContext: Hashable where Value: Hashable, Content: Hashable {}

extension Signal {
    /// Each value alone; the operators and the subscriber below hear it in the context in which it was sent.
    ///
    /// ```
    /// self        --1 in a--2 in b--|
    /// bound(to:)  --1-------2-------|
    /// ```
    ///
    /// The end, a failure and reports of losses belong to no value. They are heard in the context of their sender.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Thread: the source's. An operator below that changes threads needs ``capturing(_:)`` and this once more.
    @inlinable
    public consuming func bound<Wrapped, Content>(
        to context: TaskContext<Content>
    ) -> some Signal<Wrapped, Failure> where Value == InContext<Wrapped, Content> {
        transduced(by: Binding(context: context))
    }
}

@frozen
@usableFromInline
struct Binding<Wrapped: Sendable, Content: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Input = InContext<Wrapped, Content>
    @usableFromInline typealias Output = Wrapped
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let context: TaskContext<Content>

    @inlinable
    init(context: TaskContext<Content>) {
        self.context = context
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        var demand = Demand.more
        context.bind(value.content) { demand = downstream.next(value.value) }
        return demand
    }

    @usableFromInline static var name: String { "bound" }
}

extension Signal {
    /// Each value with the context in which it comes here.
    ///
    /// ```
    /// self       --1-------2-------|
    /// capturing  --1 in a--2 in b--|
    /// ```
    ///
    /// The context is read on the thread that delivers the value here. That is the sender's, unless the value has waited above:
    /// in a queue, or because another thread was just sending. A subscriber of a ``NotificationBus`` has such a queue. Where values
    /// may wait, the sender sends an ``InContext`` itself, and this operator is not needed.
    ///
    /// Reading a task-local value takes some ten nanoseconds.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    public consuming func capturing<Content>(
        _ context: TaskContext<Content>
    ) -> some Signal<InContext<Value, Content>, Failure> {
        transduced(by: Capturing(context: context))
    }
}

@frozen
@usableFromInline
struct Capturing<Input: Sendable, Content: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = InContext<Input, Content>
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let context: TaskContext<Content>

    @inlinable
    init(context: TaskContext<Content>) {
        self.context = context
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.next(InContext(value, capturing: context))
    }

    @usableFromInline static var name: String { "capturing" }
}

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
