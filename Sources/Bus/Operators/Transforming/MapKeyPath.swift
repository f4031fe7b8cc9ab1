extension Signal {
    /// What a stored key path leads to in each value.
    ///
    /// ```
    /// self        --"a"---"bb"---"ccc"--|
    /// map(length) --1-----2------3------|
    /// ```
    ///
    /// For key paths that are made or passed around while the program runs; reading through one costs some nanoseconds.
    /// A literal, as in `map(\.count)`, is compiled to a closure and costs nothing.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: nothing.
    /// - Thread: the source's.
    ///
    /// - Parameter keyPath: leads from a value to what is sent.
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public func map<Output: Sendable>(
        _ keyPath: any KeyPath<Value, Output> & Sendable
    ) -> some Signal<Output, Failure> {
        transduced(by: Mapping { $0[keyPath: keyPath] })
    }
}
