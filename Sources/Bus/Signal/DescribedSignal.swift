/// A signal made of others, with a description of its own instead of theirs.
@frozen
@usableFromInline
package struct DescribedSignal<Wrapped: Signal>: Signal {
    @usableFromInline package typealias Value = Wrapped.Value
    @usableFromInline package typealias Failure = Wrapped.Failure
    @usableFromInline let wrapped: Wrapped
    @usableFromInline let describe: @Sendable () -> Chain

    @inlinable
    package init(_ wrapped: Wrapped, _ describe: @escaping @Sendable () -> Chain) {
        self.wrapped = wrapped
        self.describe = describe
    }

    @inlinable
    @inline(__always)
    package func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        wrapped.subscribe(observer)
    }

    @usableFromInline package var chain: Chain { describe() }
}
