extension Signal {
    /// How many values there were, sent at the end.
    ///
    /// ```
    /// self    --a---b---c--|
    /// count() -------------3|
    /// ```
    ///
    /// Values that were lost above are not counted; they are passed on as lost.
    ///
    /// - Ends: with the source, after the number.
    /// - Fails: with the source; there is no number then.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the number so far.
    /// - Thread: the source's.
    @inlinable
    @inline(__always)
    public consuming func count() -> some Signal<Int, Failure> {
        transduced(by: Folding(result: 0, update: { count, _ in count += 1 }, isCount: true))
    }
}
