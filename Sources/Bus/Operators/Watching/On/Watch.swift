import Synchronization

/// Makes sure that the end of one subscription is reported once, however it ends.
@usableFromInline
final class Watch: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let disposed: (@Sendable () -> Void)?
    private let terminated: (@Sendable () -> Void)?

    @usableFromInline
    init(disposed: (@Sendable () -> Void)?, terminated: (@Sendable () -> Void)?) {
        self.disposed = disposed
        self.terminated = terminated
    }

    /// Whether this call is the first to report that the subscription is over.
    @usableFromInline
    func claim() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }

    /// The signal has ended.
    @usableFromInline
    func ended() { terminated?() }

    /// The subscription is over and the signal has not ended: disposed of, or its source is gone.
    @usableFromInline
    func letGo() { if claim() { wasLetGo() } }

    func wasLetGo() {
        disposed?()
        terminated?()
    }
}

/// Belongs to the observer, and is released with it.
@frozen
@usableFromInline
struct WatchGuard: ~Copyable, Sendable {
    @usableFromInline let watch: Watch

    @usableFromInline
    init(_ watch: Watch) {
        self.watch = watch
    }

    // Inlinable, or the optimiser of 6.3.1 crashes where it inlines the observer's end.
    @inlinable
    deinit {
        watch.letGo()
    }
}

/// Ends a watched subscription.
struct WatchedDisposable: Disposable {
    let upstream: any Disposable
    let watch: Watch

    func dispose() {
        // Claimed before, so that the observer, which is released with its source, does not report it first.
        let isFirst = watch.claim()
        upstream.dispose()
        if isFirst { watch.wasLetGo() }
    }

    var isDisposed: Bool { upstream.isDisposed }
}
