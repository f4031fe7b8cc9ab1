extension Signal {
    /// The values that differ from the one sent before, by a custom comparison.
    ///
    /// ```
    /// self                        --1---2---2---1--|
    /// removeDuplicates(by: { == }) --1---2-------1--|
    /// ```
    ///
    /// The first value is always sent. Each value is compared with the last that was sent, so that a slow drift of
    /// nearly equal values is sent once it has gone far enough. Also known as `distinctUntilChanged` and
    /// `skipRepeats`.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the last value sent.
    ///
    /// - Parameter areEqual: whether the second value repeats the first, which was sent before.
    @inlinable
    @inline(__always)
    public consuming func removeDuplicates(
        by areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> some Signal<Value, Failure> {
        transduced(by: DuplicateRemoving(areEqual: areEqual))
    }
}

extension Signal where Value: Equatable {
    /// The values that differ from the one sent before. See ``Signal/removeDuplicates(by:)``.
    @inlinable
    @inline(__always)
    public consuming func removeDuplicates() -> some Signal<Value, Failure> {
        transduced(by: DuplicateRemoving(areEqual: { $0 == $1 }))
    }
}

@frozen
@usableFromInline
struct DuplicateRemoving<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let areEqual: @Sendable (Input, Input) -> Bool
    @usableFromInline var last: Input?

    @inlinable
    init(areEqual: @escaping @Sendable (Input, Input) -> Bool) {
        self.areEqual = areEqual
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        if let last, areEqual(last, value) { return downstream.demand }
        last = value
        return downstream.next(value)
    }

    @usableFromInline static var name: String { "removeDuplicates" }
}
