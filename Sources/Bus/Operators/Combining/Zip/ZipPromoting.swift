extension Signal {
    /// The first values of this signal and of one that cannot fail, then their second values, and so on.
    /// See `Signals.zip(_:limit:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func zip<Other: Signal>(
        _ other: Other,
        limit: Int = 1024
    ) -> AnySignal<(Value, Other.Value), Failure> where Other.Failure == Never {
        AnySignal(zip(other.promoteFailure(to: Failure.self), limit: limit))
    }
}

extension Signal where Failure == Never {
    /// The first values of this signal, which cannot fail, and of one that can, then their second values, and so on.
    /// See `Signals.zip(_:limit:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func zip<Other: Signal>(
        _ other: Other,
        limit: Int = 1024
    ) -> AnySignal<(Value, Other.Value), Other.Failure> {
        AnySignal(promoteFailure(to: Other.Failure.self).zip(other, limit: limit))
    }
}
