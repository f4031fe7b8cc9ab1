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

extension Signals {
    /// The signal, of several, that a key names at the moment.
    ///
    /// ```
    /// key          --a-----x----b---|
    /// cases[a]       -1--2--3-
    /// cases[b]                  -4|
    /// default              -9-9-
    /// switch       ---1--2--9-9--4--|
    /// ```
    ///
    /// Each key subscribes anew, also one that is equal to the one before it; put `removeDuplicates()` on the keys to
    /// avoid that. (ReactiveCocoa fails where no default is given and no case matches; here, give a default that
    /// fails.)
    ///
    /// - Ends: when the keys and the present signal have ended.
    /// - Fails: with the keys or the present signal; the other is released before.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: that of the signal that sends; it is subscribed to on the keys'.
    ///
    /// - Parameters:
    ///   - keys: say which signal is heard.
    ///   - cases: the signal for a key.
    ///   - fallback: the signal for a key that has none.
    @inlinable
    @inline(__always)
    public static func `switch`<Keys: Signal, Case: Signal, Default: Signal>(
        on keys: Keys,
        cases: [Keys.Value: Case],
        default fallback: Default
    ) -> some Signal<Case.Value, Case.Failure>
    where
        Keys.Value: Hashable,
        Keys.Failure == Case.Failure,
        Default.Value == Case.Value,
        Default.Failure == Case.Failure
    {
        keys.flatMapLatest { key in
            cases[key].map { EitherSignal<Case, Default>.first($0) } ?? .second(fallback)
        }
    }
}

extension Signals {
    /// One signal while a condition, which cannot fail, holds, another while it does not. See `if(_:then:else:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public static func `if`<Condition: Signal, Positive: Signal, Negative: Signal>(
        _ condition: Condition,
        then positive: Positive,
        else negative: Negative
    ) -> AnySignal<Positive.Value, Positive.Failure>
    where
        Condition.Value == Bool,
        Condition.Failure == Never,
        Positive.Value == Negative.Value,
        Positive.Failure == Negative.Failure
    {
        AnySignal(`if`(condition.promoteFailure(to: Positive.Failure.self), then: positive, else: negative))
    }

    /// The signal that a key names at the moment, of several; the keys cannot fail. See `switch(on:cases:default:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public static func `switch`<Keys: Signal, Case: Signal, Default: Signal>(
        on keys: Keys,
        cases: [Keys.Value: Case],
        default fallback: Default
    ) -> AnySignal<Case.Value, Case.Failure>
    where
        Keys.Value: Hashable,
        Keys.Failure == Never,
        Default.Value == Case.Value,
        Default.Failure == Case.Failure
    {
        AnySignal(`switch`(on: keys.promoteFailure(to: Case.Failure.self), cases: cases, default: fallback))
    }
}
