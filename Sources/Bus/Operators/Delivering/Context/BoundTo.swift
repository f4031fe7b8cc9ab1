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
    /// - Buffers: nothing.
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

    @usableFromInline var name: String { "bound" }
}
