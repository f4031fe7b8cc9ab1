extension Signal {
    /// The values until a signal that cannot fail sends an event, then the events of that signal.
    /// See `take(untilReplacement:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func take<Replacement: Signal>(
        untilReplacement replacement: Replacement
    ) -> AnySignal<Value, Failure> where Replacement.Value == Value, Replacement.Failure == Never {
        AnySignal(take(untilReplacement: replacement.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The values of this signal, which cannot fail, until one that can fail sends an event, then the events of that
    /// signal.
    /// See `take(untilReplacement:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func take<Replacement: Signal>(
        untilReplacement replacement: Replacement
    ) -> AnySignal<Value, Replacement.Failure> where Replacement.Value == Value {
        AnySignal(promoteFailure(to: Replacement.Failure.self).take(untilReplacement: replacement))
    }
}
