extension Signal {
    /// This signal's latest value and that of one that cannot fail, whenever one of them sends.
    /// See `Signals.combineLatest(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func combineLatest<Other: Signal>(
        _ other: Other
    ) -> AnySignal<(Value, Other.Value), Failure> where Other.Failure == Never {
        AnySignal(combineLatest(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The latest values of this signal, which cannot fail, and of one that can, whenever one of them sends.
    /// See `Signals.combineLatest(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func combineLatest<Other: Signal>(
        _ other: Other
    ) -> AnySignal<(Value, Other.Value), Other.Failure> {
        AnySignal(promoteFailure(to: Other.Failure.self).combineLatest(other))
    }
}
