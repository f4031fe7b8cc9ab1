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

/// An observer whose type is erased.
///
/// It holds closures made where the type was known, which costs about a nanosecond an event. An existential would be
/// dispatched unspecialised and cost ten times that.
@frozen
public struct AnyObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    @usableFromInline package let onNext: @Sendable (Value) -> Demand
    @usableFromInline let onLoss: @Sendable (Int) -> Void
    @usableFromInline let onTermination: @Sendable (Termination<Failure>) -> Void
    @usableFromInline let currentDemand: @Sendable () -> Demand
    @usableFromInline let onWait: @Sendable (@escaping @Sendable () -> Void) -> Demand

    /// Erases `observer`.
    @inlinable
    public init<Wrapped: Observer & ~Copyable>(
        _ observer: consuming Wrapped
    ) where Wrapped.Value == Value, Wrapped.Failure == Failure {
        let box = ObserverBox(observer)
        onNext = { box.observer?.next($0) ?? .stop }
        onLoss = { box.observer?.lost($0) }
        onTermination = { box.observer.take()?.terminate($0) }
        currentDemand = { box.observer?.demand ?? .stop }
        onWait = { box.observer?.whenReady($0) ?? .stop }
    }

    @inlinable
    public mutating func next(_ value: Value) -> Demand { onNext(value) }

    @inlinable
    public mutating func lost(_ count: Int) { onLoss(count) }

    @inlinable
    public consuming func terminate(_ termination: Termination<Failure>) { onTermination(termination) }

    @inlinable
    public var demand: Demand { currentDemand() }

    @inlinable
    public mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { onWait(resume) }
}
