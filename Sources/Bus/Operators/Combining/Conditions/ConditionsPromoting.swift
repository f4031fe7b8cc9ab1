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
