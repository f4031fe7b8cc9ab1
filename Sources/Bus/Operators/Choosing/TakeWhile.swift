extension Signal {
    /// The values before the first that does not pass a test, then completion.
    ///
    /// ```
    /// self               --1---2---3---1--|
    /// take(while: { < 3 }) --1---2---|
    /// ```
    ///
    /// The value that does not pass is not sent; `take(until:includingMatch:)` can send it.
    ///
    /// - Ends: with the first value that does not pass, once the source is released; else with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter predicate: the test.
    @inlinable
    @inline(__always)
    public consuming func take(
        while predicate: @escaping @Sendable (Value) -> Bool
    ) -> some Signal<Value, Failure> {
        transduced(by: TakingWhile(predicate: predicate))
    }
}

@frozen
@usableFromInline
struct TakingWhile<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let predicate: @Sendable (Input) -> Bool
    @usableFromInline var isOver = false

    @inlinable
    init(predicate: @escaping @Sendable (Input) -> Bool) {
        self.predicate = predicate
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard !isOver, predicate(value) else {
            isOver = true
            return .stop
        }
        return downstream.next(value)
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.terminate(isOver ? .completed : termination)
    }

    @inlinable
    var demand: Demand { isOver ? .stop : .more }

    @usableFromInline static var name: String { "take(while:)" }
}
