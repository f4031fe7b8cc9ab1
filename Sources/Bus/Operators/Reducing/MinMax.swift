extension Signal {
    /// The smallest value by a custom order, sent at the end.
    ///
    /// ```
    /// self                --3---1---2--|
    /// min(by: { $0 < $1 }) -------------1|
    /// ```
    ///
    /// If several are equal, the first is sent. Without values nothing is sent.
    ///
    /// - Ends: with the source, after the smallest value.
    /// - Fails: with the source; no value is sent then.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the smallest value so far.
    ///
    /// - Parameter areInIncreasingOrder: whether the first is smaller than the second.
    @inlinable
    @inline(__always)
    public consuming func min(
        by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool
    ) -> some Signal<Value, Failure> {
        transduced(by: Electing(replaces: areInIncreasingOrder, role: .min))
    }

    /// The greatest value by a custom order, sent at the end.
    ///
    /// ```
    /// self                --2---3---1--|
    /// max(by: { $0 < $1 }) -------------3|
    /// ```
    ///
    /// If several are equal, the first is sent. Without values nothing is sent.
    ///
    /// - Ends: with the source, after the greatest value.
    /// - Fails: with the source; no value is sent then.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the greatest value so far.
    ///
    /// - Parameter areInIncreasingOrder: whether the first is smaller than the second.
    @inlinable
    @inline(__always)
    public consuming func max(
        by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool
    ) -> some Signal<Value, Failure> {
        transduced(by: Electing(replaces: { areInIncreasingOrder($1, $0) }, role: .max))
    }
}

extension Signal where Value: Comparable {
    /// The smallest value, sent at the end. See ``Signal/min(by:)``.
    @inlinable
    @inline(__always)
    public consuming func min() -> some Signal<Value, Failure> {
        transduced(by: Electing(replaces: { $0 < $1 }, role: .min))
    }

    /// The greatest value, sent at the end. See ``Signal/max(by:)``.
    @inlinable
    @inline(__always)
    public consuming func max() -> some Signal<Value, Failure> {
        transduced(by: Electing(replaces: { $0 > $1 }, role: .max))
    }
}

/// Keeps the first value that no other replaces.
@frozen
@usableFromInline
struct Electing<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline
    enum Role: String, Sendable { case min, max, last }

    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var elected: Input?
    @usableFromInline let replaces: @Sendable (_ candidate: Input, _ elected: Input) -> Bool
    @usableFromInline let role: Role

    @inlinable
    init(replaces: @escaping @Sendable (Input, Input) -> Bool, role: Role) {
        self.replaces = replaces
        self.role = role
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        if let elected, !replaces(value, elected) { return downstream.demand }
        elected = value
        return downstream.demand
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.finish(termination, with: elected)
    }

    @usableFromInline static var name: String { "min, max or last" }
    @usableFromInline var name: String { role.rawValue }
}
