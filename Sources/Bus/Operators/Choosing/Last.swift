extension Signal {
    /// The last value, sent at the end.
    ///
    /// ```
    /// self   --1---2---3--|
    /// last() -------------3|
    /// ```
    ///
    /// Without values nothing is sent. Blocks nobody, unlike the method of this name in ReactiveSwift.
    ///
    /// - Ends: with the source, after the value.
    /// - Fails: with the source; no value is sent then.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the last value.
    @inlinable
    @inline(__always)
    public consuming func last() -> some Signal<Value, Failure> {
        transduced(by: Electing(replaces: { _, _ in true }, role: .last))
    }

    /// The last value that passes a test, sent at the end.
    ///
    /// ```
    /// self                    --1---2---3--|
    /// last(where: { $0 < 3 }) -------------2|
    /// ```
    ///
    /// - Ends: with the source, after the value.
    /// - Fails: with the source; no value is sent then.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the last value that passed.
    ///
    /// - Parameter predicate: the test.
    @inlinable
    @inline(__always)
    public consuming func last(
        where predicate: @escaping @Sendable (Value) -> Bool
    ) -> some Signal<Value, Failure> {
        filter(predicate).last()
    }
}
