extension Signal where Value: Signal, Value.Failure == Never {
    /// The values of the signals that this signal sends, which cannot fail. See `flatten(_:limit:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func flatten(
        _ strategy: FlattenStrategy = .merge,
        limit: Int = 1024
    ) -> AnySignal<Value.Value, Failure> {
        AnySignal(flatMap(strategy, limit: limit) { $0.promoteFailure(to: Failure.self) })
    }

    /// The values of the latest of the signals that this signal sends, which cannot fail. See `switchToLatest()`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func switchToLatest() -> AnySignal<Value.Value, Failure> {
        AnySignal(flatMapLatest { $0.promoteFailure(to: Failure.self) })
    }
}

extension Signal where Value: Signal, Failure == Never {
    /// The values of the signals that this signal, which cannot fail, sends. See `flatten(_:limit:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func flatten(
        _ strategy: FlattenStrategy = .merge,
        limit: Int = 1024
    ) -> AnySignal<Value.Value, Value.Failure> {
        AnySignal(promoteFailure(to: Value.Failure.self).flatten(strategy, limit: limit))
    }

    /// The values of the latest of the signals that this signal, which cannot fail, sends. See `switchToLatest()`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func switchToLatest() -> AnySignal<Value.Value, Value.Failure> {
        AnySignal(promoteFailure(to: Value.Failure.self).switchToLatest())
    }
}
