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
    /// - Buffers: nothing.
    /// - Thread: the source's.
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

    @usableFromInline var name: String { "capturing" }
}
