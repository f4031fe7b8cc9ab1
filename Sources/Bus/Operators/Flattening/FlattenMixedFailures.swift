extension Signal {
    /// Turns each value into a signal that cannot fail, and sends the values of these signals.
    /// See `flatMap(_:limit:_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func flatMap<Inner: Signal, Output: Sendable>(
        _ strategy: FlattenStrategy = .merge,
        limit: Int = 1024,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> AnySignal<Output, Failure> where Inner.Failure == Never, Inner.Value == Output {
        AnySignal(flatMap(strategy, limit: limit) { transform($0).promoteFailure(to: Failure.self) })
    }

    /// Turns each value into a signal that cannot fail, and sends the values of the latest of these signals.
    /// See `flatMapLatest(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func flatMapLatest<Inner: Signal, Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> AnySignal<Output, Failure> where Inner.Failure == Never, Inner.Value == Output {
        AnySignal(flatMapLatest { transform($0).promoteFailure(to: Failure.self) })
    }
}

extension Signal where Failure == Never {
    /// Turns each value of this signal, which cannot fail, into a signal that can, and sends the values of these signals.
    /// See `flatMap(_:limit:_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func flatMap<Inner: Signal, Output: Sendable, Problem: Error>(
        _ strategy: FlattenStrategy = .merge,
        limit: Int = 1024,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> AnySignal<Output, Problem> where Inner.Value == Output, Inner.Failure == Problem {
        AnySignal(promoteFailure(to: Problem.self).flatMap(strategy, limit: limit, transform))
    }

    /// Turns each value of this signal, which cannot fail, into a signal that can, and sends the values of the latest of
    /// these signals. See `flatMapLatest(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func flatMapLatest<Inner: Signal, Output: Sendable, Problem: Error>(
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> AnySignal<Output, Problem> where Inner.Value == Output, Inner.Failure == Problem {
        AnySignal(promoteFailure(to: Problem.self).flatMapLatest(transform))
    }
}

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
