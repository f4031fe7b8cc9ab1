extension Signal {
    /// The first value, then completion.
    ///
    /// ```
    /// self    --1---2---3--|
    /// first() --1|
    /// ```
    ///
    /// Blocks nobody, unlike the methods of this name in ReactiveCocoa and ReactiveSwift; to wait for the value, walk
    /// ``Signal/values(limit:overflow:fileID:line:)``.
    ///
    /// - Ends: with the value, once the source is released; else with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func first() -> some Signal<Value, Failure> {
        transduced(by: TakingElement(remaining: 0))
    }

    /// The first value that passes a test, then completion.
    ///
    /// ```
    /// self                     --1---2---3--|
    /// first(where: { $0 > 1 }) ------2|
    /// ```
    ///
    /// - Ends: with the value, once the source is released; else with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter predicate: the test.
    @inlinable
    @inline(__always)
    public consuming func first(
        where predicate: @escaping @Sendable (Value) -> Bool
    ) -> some Signal<Value, Failure> {
        filter(predicate).first()
    }
}
