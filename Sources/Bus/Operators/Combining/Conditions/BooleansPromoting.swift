extension Signal where Value == Bool {
    /// Whether this signal's latest value and that of one that cannot fail are both true. See `and(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func and<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Bool, Failure> where Other.Value == Bool, Other.Failure == Never {
        AnySignal(and(other.promoteFailure(to: Failure.self)))
    }

    /// Whether this signal's latest value or that of one that cannot fail is true. See `or(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func or<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Bool, Failure> where Other.Value == Bool, Other.Failure == Never {
        AnySignal(or(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Value == Bool, Failure == Never {
    /// Whether the latest values of this signal, which cannot fail, and of one that can are both true. See `and(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func and<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Bool, Other.Failure> where Other.Value == Bool {
        AnySignal(promoteFailure(to: Other.Failure.self).and(other))
    }

    /// Whether the latest value of this signal, which cannot fail, or of one that can is true. See `or(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func or<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Bool, Other.Failure> where Other.Value == Bool {
        AnySignal(promoteFailure(to: Other.Failure.self).or(other))
    }
}
