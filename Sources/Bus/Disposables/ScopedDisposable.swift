/// Disposes of its content when it is itself released: ties a subscription to the lifetime of its owner.
public final class ScopedDisposable: Disposable {
    private let wrapped: any Disposable

    public init(_ wrapped: any Disposable) {
        self.wrapped = wrapped
    }

    deinit {
        wrapped.dispose()
    }

    public func dispose() { wrapped.dispose() }

    public var isDisposed: Bool { wrapped.isDisposed }
}

extension Disposable {
    /// This handle, disposed of when the returned object is released.
    public func scoped() -> ScopedDisposable {
        ScopedDisposable(self)
    }
}
