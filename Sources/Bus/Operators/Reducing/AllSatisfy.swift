extension Signal {
    /// Whether every value passes a test.
    ///
    /// ```
    /// self                  --1---2---3--|
    /// allSatisfy { $0 < 9 } -------------true|
    /// allSatisfy { $0 < 2 } ------false|
    /// ```
    ///
    /// Without values it is true.
    ///
    /// - Ends: with the first value that does not pass, once the source is released, after `false`; else with the
    ///   source, after `true`.
    /// - Fails: with the source, undecided. (ReactiveCocoa's `all:` said `NO` instead.)
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: nothing.
    /// - Thread: the source's.
    ///
    /// - Parameter predicate: the test.
    @inlinable
    @inline(__always)
    public consuming func allSatisfy(
        _ predicate: @escaping @Sendable (Value) -> Bool
    ) -> some Signal<Bool, Failure> {
        transduced(by: Deciding(settles: { !predicate($0) }, question: .allSatisfy))
    }
}
