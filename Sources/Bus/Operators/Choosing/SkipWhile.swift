extension Signal {
    /// The values from the first that does not pass a test on.
    ///
    /// ```
    /// self                 --1---2---3---1--|
    /// skip(while: { < 3 }) ----------3---1--|
    /// ```
    ///
    /// The test is not asked again once a value has not passed.
    ///
    /// - Ends: with the source, also while still skipping.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter predicate: the test.
    @inlinable
    @inline(__always)
    public consuming func skip(
        while predicate: @escaping @Sendable (Value) -> Bool
    ) -> some Signal<Value, Failure> {
        transduced(by: SkippingWhile(predicate: predicate, isUntil: false))
    }

    /// The values from the first that passes a test on, including that one.
    ///
    /// ```
    /// self                    --1---2---3---1--|
    /// skip(until: { $0 == 3 }) ----------3---1--|
    /// ```
    ///
    /// The test is not asked again once a value has passed. (ReactiveCocoa's `skipUntilBlock:`.)
    ///
    /// - Ends: with the source, also while still skipping.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter predicate: the test.
    @inlinable
    @inline(__always)
    public consuming func skip(
        until predicate: @escaping @Sendable (Value) -> Bool
    ) -> some Signal<Value, Failure> {
        transduced(by: SkippingWhile(predicate: { !predicate($0) }, isUntil: true))
    }
}

@frozen
@usableFromInline
struct SkippingWhile<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let predicate: @Sendable (Input) -> Bool
    @usableFromInline let isUntil: Bool
    @usableFromInline var isSkipping = true

    @inlinable
    init(predicate: @escaping @Sendable (Input) -> Bool, isUntil: Bool) {
        self.predicate = predicate
        self.isUntil = isUntil
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        if isSkipping, predicate(value) { return downstream.demand }
        isSkipping = false
        return downstream.next(value)
    }

    @usableFromInline static var name: String { "skip(while:)" }
    @usableFromInline var name: String { isUntil ? "skip(until:)" : "skip(while:)" }
}
