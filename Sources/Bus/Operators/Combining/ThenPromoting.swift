extension Signal {
    /// The events of a signal that cannot fail, once this one has completed.
    /// See `then(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func then<Next: Signal>(
        _ next: Next
    ) -> AnySignal<Next.Value, Failure> where Next.Failure == Never {
        AnySignal(then(next.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The events of a signal that can fail, once this one, which cannot, has completed.
    /// See `then(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func then<Next: Signal>(
        _ next: Next
    ) -> AnySignal<Next.Value, Next.Failure> {
        AnySignal(promoteFailure(to: Next.Failure.self).then(next))
    }
}
