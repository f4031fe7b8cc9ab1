extension Signals {
    /// One signal while a condition holds, another while it does not.
    ///
    /// ```
    /// condition --t--------f------|
    /// then        --1--2--3--4
    /// else                   --5--6|
    /// if        ----1--2-----5----6|
    /// ```
    ///
    /// Each value of the condition subscribes anew, also one that is equal to the one before it; put
    /// `removeDuplicates()` on the condition to avoid that.
    ///
    /// - Ends: when the condition and the present branch have ended.
    /// - Fails: with the condition or the present branch; the other is released before.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: that of the branch that sends; it is subscribed to on the condition's.
    @inlinable
    @inline(__always)
    public static func `if`<Condition: Signal, Positive: Signal, Negative: Signal>(
        _ condition: Condition,
        then positive: Positive,
        else negative: Negative
    ) -> some Signal<Positive.Value, Positive.Failure>
    where
        Condition.Value == Bool,
        Condition.Failure == Positive.Failure,
        Positive.Value == Negative.Value,
        Positive.Failure == Negative.Failure
    {
        condition.flatMapLatest { $0 ? EitherSignal<Positive, Negative>.first(positive) : .second(negative) }
    }
}
