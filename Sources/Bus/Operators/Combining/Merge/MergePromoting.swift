extension Signal {
    /// This signal's values and those of one that cannot fail, as they come.
    /// See `Signals.merge(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func merge<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Failure> where Other.Value == Value, Other.Failure == Never {
        AnySignal(merge(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The values of this signal, which cannot fail, and those of one that can, as they come.
    /// See `Signals.merge(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func merge<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Other.Failure> where Other.Value == Value {
        AnySignal(promoteFailure(to: Other.Failure.self).merge(other))
    }
}
