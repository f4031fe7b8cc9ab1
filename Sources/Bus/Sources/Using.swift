extension Signals {
    /// A signal over a resource that is acquired for each subscription and released with it. Cold.
    ///
    /// ```
    /// acquire, release a--------r
    /// body's signal    --1---2--|
    /// using            --1---2--|
    /// ```
    ///
    /// The resource is released exactly once: before the observer hears the end, after the signal that used it has released
    /// its own resources; when the subscription is disposed of; or when the chain is freed with its source.
    ///
    /// - Ends: with the signal that `body` makes, once the resource is released.
    /// - Fails: with the signal that `body` makes, once the resource is released.
    /// - Cancelling: ends the subscription to the signal of `body`, and then releases the resource, on the disposing thread.
    ///   Another thread may still be delivering an event at that moment.
    /// - Thread: that of the signal that `body` makes; `acquire` and `body` run on the subscriber's.
    ///
    /// - Parameters:
    ///   - acquire: gets the resource. It is not called when no value is wanted.
    ///   - release: gives it back.
    ///   - body: makes the signal from the resource. The signal may keep the resource; it is not used after the release.
    @inlinable
    public static func using<Resource: Sendable, Made: Signal, Output: Sendable, Problem: Error>(
        _ acquire: @escaping @Sendable () -> Resource,
        release: @escaping @Sendable (Resource) -> Void,
        _ body: @escaping @Sendable (Resource) -> Made
    ) -> some Signal<Output, Problem> where Made.Value == Output, Made.Failure == Problem {
        UsingSignal(acquire: { () throws(Problem) in acquire() }, release: release, body: body)
    }

    /// A signal over a resource that is acquired for each subscription, if possible, and released with it. A closure literal
    /// says what it throws: `{ () throws(OpenError) in … }`. Fails with the error of `acquire`; then nothing is released. See
    /// ``Signals/using(_:release:_:)``.
    @inlinable
    public static func using<Resource: Sendable, Made: Signal, Output: Sendable, Problem: Error>(
        attempting acquire: @escaping @Sendable () throws(Problem) -> Resource,
        release: @escaping @Sendable (Resource) -> Void,
        _ body: @escaping @Sendable (Resource) -> Made
    ) -> some Signal<Output, Problem> where Made.Value == Output, Made.Failure == Problem {
        UsingSignal(acquire: acquire, release: release, body: body)
    }
}

@frozen
@usableFromInline
struct UsingSignal<Resource: Sendable, Made: Signal>: Signal {
    @usableFromInline typealias Value = Made.Value
    @usableFromInline typealias Failure = Made.Failure
    @usableFromInline let acquire: @Sendable () throws(Made.Failure) -> Resource
    @usableFromInline let release: @Sendable (Resource) -> Void
    @usableFromInline let body: @Sendable (Resource) -> Made

    @inlinable
    init(
        acquire: @escaping @Sendable () throws(Made.Failure) -> Resource,
        release: @escaping @Sendable (Resource) -> Void,
        body: @escaping @Sendable (Resource) -> Made
    ) {
        self.acquire = acquire
        self.release = release
        self.body = body
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let resource: Resource
        do throws(Made.Failure) {
            resource = try acquire()
        } catch {
            observer.terminate(.failed(error))
            return FinishedDisposable()
        }
        let lease = ActionDisposable { [release] in release(resource) }
        let handle = body(resource).subscribe(ReleasingObserver(observer, holding: ScopedDisposable(lease)))
        return DisposablePair(handle, lease)
    }

    // Not read from a signal made for the purpose: that would acquire a resource.
    @usableFromInline var chain: Chain { Chain(source: "using") }
}
