import Synchronization

extension Signal {
    /// The same signal, watched: each closure is called before the event that it reports is passed on.
    ///
    /// ```
    /// self         --1-----2-----|
    /// on(next:)    --1-----2-----|
    ///                n(1)  n(2)  completed, terminated
    /// ```
    ///
    /// For one subscription the order is:
    /// 1. `subscribed`, before the source is subscribed to.
    /// 2. `next` and `lost`, each before the value or the loss is passed on.
    /// 3. One of `completed`, `failed` and `disposed`, and right after it `terminated`; an end is then passed on.
    ///
    /// `disposed` means that the subscription is over without an end: it was disposed of, or the source is gone.
    /// `terminated` is called once for every `subscribed`, however the subscription ended. (As in ReactiveSwift,
    /// where disposal terminates, too; RxSwift's `onDispose` is `terminated` here, Combine's `receiveCancel` is
    /// `disposed`. ReactiveCocoa's `initially` is `subscribed`.) When the observer wants no more, that is a
    /// completion.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription, then calls `disposed` and `terminated`.
    /// - Thread: the source's; `subscribed` on the subscribing thread, `disposed` and then `terminated` on the
    ///   disposing one, where they may be called while `next` still runs on another.
    ///
    /// - Parameters:
    ///   - next: called with each value.
    ///   - failed: called with the failure.
    ///   - completed: called at the completion.
    ///   - terminated: called once at the end, of whichever kind.
    ///   - subscribed: called before the source is subscribed to.
    ///   - disposed: called when the subscription is over without an end.
    ///   - lost: called with the number of values dropped upstream, at the point in the sequence where they are
    ///     missing.
    @inlinable
    @inline(__always)
    public consuming func on(
        next: (@Sendable (Value) -> Void)? = nil,
        failed: (@Sendable (Failure) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil,
        terminated: (@Sendable () -> Void)? = nil,
        subscribed: (@Sendable () -> Void)? = nil,
        disposed: (@Sendable () -> Void)? = nil,
        lost: (@Sendable (_ count: Int) -> Void)? = nil
    ) -> some Signal<Value, Failure> {
        OnSignal(
            upstream: self,
            name: "on",
            closures: OnClosures(
                next: next,
                failed: failed,
                completed: completed,
                terminated: terminated,
                subscribed: subscribed,
                disposed: disposed,
                lost: lost
            )
        )
    }
}

@frozen
@usableFromInline
struct OnClosures<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let subscribed: (@Sendable () -> Void)?
    @usableFromInline let next: (@Sendable (Value) -> Void)?
    @usableFromInline let failed: (@Sendable (Failure) -> Void)?
    @usableFromInline let completed: (@Sendable () -> Void)?
    @usableFromInline let terminated: (@Sendable () -> Void)?
    @usableFromInline let disposed: (@Sendable () -> Void)?
    @usableFromInline let lost: (@Sendable (Int) -> Void)?

    @inlinable
    init(
        next: (@Sendable (Value) -> Void)? = nil,
        failed: (@Sendable (Failure) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil,
        terminated: (@Sendable () -> Void)? = nil,
        subscribed: (@Sendable () -> Void)? = nil,
        disposed: (@Sendable () -> Void)? = nil,
        lost: (@Sendable (Int) -> Void)? = nil
    ) {
        self.subscribed = subscribed
        self.next = next
        self.failed = failed
        self.completed = completed
        self.terminated = terminated
        self.disposed = disposed
        self.lost = lost
    }
}

@frozen
@usableFromInline
struct OnSignal<Upstream: Signal>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let name: String
    @usableFromInline let closures: OnClosures<Value, Failure>

    @inlinable
    init(upstream: Upstream, name: String, closures: OnClosures<Value, Failure>) {
        self.upstream = upstream
        self.name = name
        self.closures = closures
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let watch = Watch(disposed: closures.disposed, terminated: closures.terminated)
        closures.subscribed?()
        return watched(upstream.subscribe(OnObserver(observer, closures, watch)), by: watch)
    }

    @usableFromInline
    func watched(_ handle: any Disposable, by watch: Watch) -> any Disposable {
        WatchedDisposable(upstream: handle, watch: watch)
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("on") }
    @usableFromInline var chain: Chain { upstream.chain.appending(name) }
}

@frozen
@usableFromInline
struct OnObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let closures: OnClosures<Value, Failure>
    @usableFromInline let watch: WatchGuard

    @inlinable
    init(_ downstream: consuming Downstream, _ closures: OnClosures<Value, Failure>, _ watch: Watch) {
        self.downstream = downstream
        self.closures = closures
        self.watch = WatchGuard(watch)
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        closures.next?(value)
        return downstream.next(value)
    }

    @inlinable
    mutating func lost(_ count: Int) {
        closures.lost?(count)
        downstream.lost(count)
    }

    // Not inlinable: the optimiser of Swift 6.3.1 stops at the guard's deinitialiser in it.
    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        // Disposed of on another thread while the end was on its way: that has been reported already.
        if watch.watch.claim() {
            switch termination {
            case .completed: closures.completed?()
            case .failed(let failure): closures.failed?(failure)
            }
            watch.watch.ended()
        }
        downstream.terminate(termination)
    }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}

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

extension Signal {
    /// The same signal; `body` runs once when a subscription is over, in whatever way.
    ///
    /// ```
    /// self       --1--2--|
    /// finally    --1--2--|
    ///                    body
    /// ```
    ///
    /// It runs after the source was released and before the end is passed on. It also runs when the subscription is
    /// disposed of, and when the source is dropped without an end. (ReactiveCocoa's `finally` ran at an end only; for
    /// that, use ``on(next:failed:completed:terminated:subscribed:disposed:lost:)`` with `completed` and `failed`.)
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription, then runs `body`.
    /// - Thread: the source's; after a disposal, `body` runs on the disposing one.
    ///
    /// - Parameter body: called once per subscription.
    @inlinable
    @inline(__always)
    public consuming func finally(_ body: @escaping @Sendable () -> Void) -> some Signal<Value, Failure> {
        OnSignal(upstream: self, name: "finally", closures: OnClosures(terminated: body))
    }
}
