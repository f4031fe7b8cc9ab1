extension Signal {
    /// Each value with its place, counted from zero.
    ///
    /// ```
    /// self         --a-------b-------|
    /// enumerated() --(0, a)--(1, b)--|
    /// ```
    ///
    /// Every subscription counts anew. Values that were lost above are not counted.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func enumerated() -> some Signal<(offset: Int, element: Value), Failure> {
        transduced(by: Enumerating())
    }
}

@frozen
@usableFromInline
struct Enumerating<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = (offset: Int, element: Input)
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var offset = 0

    @inlinable
    init() {}

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        defer { offset += 1 }
        return downstream.next((offset: offset, element: value))
    }

    @usableFromInline static var name: String { "enumerated" }
}
