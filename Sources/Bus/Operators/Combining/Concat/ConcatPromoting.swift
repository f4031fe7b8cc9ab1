extension Signal {
    /// This signal's values, and after its completion those of one that cannot fail.
    /// See `Signals.concat(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func concat<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Failure> where Other.Value == Value, Other.Failure == Never {
        AnySignal(concat(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The values of this signal, which cannot fail, and after its completion those of one that can.
    /// See `Signals.concat(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func concat<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Other.Failure> where Other.Value == Value {
        AnySignal(promoteFailure(to: Other.Failure.self).concat(other))
    }
}
