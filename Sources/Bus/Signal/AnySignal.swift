/// A signal whose type is erased, to be stored or returned where the composed type cannot be named.
///
/// It behaves in every respect as the signal it was made from and costs about a nanosecond an event.
@frozen
public struct AnySignal<Value: Sendable, Failure: Error>: Signal {
    @usableFromInline let start: @Sendable (consuming AnyObserver<Value, Failure>) -> any Disposable
    @usableFromInline let describe: @Sendable () -> Chain

    /// Erases `signal`.
    @inlinable
    public init<Upstream: Signal>(_ signal: Upstream) where Upstream.Value == Value, Upstream.Failure == Failure {
        start = { signal.subscribe($0) }
        describe = { signal.chain }
    }

    /// A signal that takes only observers of this type.
    init(
        start: @escaping @Sendable (consuming AnyObserver<Value, Failure>) -> any Disposable,
        describe: @escaping @Sendable () -> Chain
    ) {
        self.start = start
        self.describe = describe
    }

    @inlinable
    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        start(AnyObserver(observer))
    }

    public var chain: Chain { describe() }
}

extension Signal {
    /// This signal with its type erased.
    @inlinable
    public func eraseToAnySignal() -> AnySignal<Value, Failure> {
        AnySignal(self)
    }
}
