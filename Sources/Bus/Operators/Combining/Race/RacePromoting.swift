extension Signal {
    /// This signal or one that cannot fail, whichever sends an event first.
    /// See `Signals.race(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func race<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Failure> where Other.Value == Value, Other.Failure == Never {
        AnySignal(race(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// This signal, which cannot fail, or one that can, whichever sends an event first.
    /// See `Signals.race(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func race<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Other.Failure> where Other.Value == Value {
        AnySignal(promoteFailure(to: Other.Failure.self).race(other))
    }
}
