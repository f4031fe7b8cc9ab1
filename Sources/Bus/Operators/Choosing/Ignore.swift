extension Signal where Value: Equatable {
    /// The values that differ from one.
    ///
    /// ```
    /// self      --1---2---1---3--|
    /// ignore(1) ------2-------3--|
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter unwanted: the value to leave out.
    @inlinable
    @inline(__always)
    public consuming func ignore(_ unwanted: Value) -> some Signal<Value, Failure> {
        transduced(by: Ignoring(unwanted: unwanted))
    }
}

@frozen
@usableFromInline
struct Ignoring<Input: Sendable & Equatable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let unwanted: Input

    @inlinable
    init(unwanted: Input) {
        self.unwanted = unwanted
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        value == unwanted ? downstream.demand : downstream.next(value)
    }

    @usableFromInline static var name: String { "ignore" }
    @usableFromInline var name: String { "ignore(\(unwanted))" }
}
