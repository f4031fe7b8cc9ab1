extension Signal {
    /// Turns each value into a signal, and sends the values of these signals.
    ///
    /// ```
    /// self      --a------b--|
    /// inner(a)    -1--2--3|
    /// inner(b)           -4--5|
    /// .merge    ---1--2--34--5|
    /// .concat   ---1--2--3-4--5|
    /// .latest   ---1--2---4--5|
    /// .first    ---1--2--3|
    /// .race     ---1--2--3|
    /// ```
    ///
    /// The ``FlattenStrategy`` says which of them run at the same time. With `.concat` and `.merge(maxConcurrent:)`
    /// values wait for their turn, at most `limit` of them; then the source is told to pause. While the observer
    /// pauses, the inner signals pause, too, and none is started: with `.merge` the source is told to pause, and at most
    /// `limit` values of one that goes on all the same wait. A value beyond that is lost and counted. Values that
    /// `.latest` and `.first` leave out are left out on purpose, and not counted.
    ///
    /// Signals start in the order of their values. The values of signals that end inside their own `subscribe` keep
    /// that order.
    ///
    /// The inner signals, or this one, may be signals that cannot fail where the others can: this needs no
    /// `promoteFailure(to:)`, and costs an erasure, about a nanosecond an event.
    ///
    /// The compiler finds a mistake in a long inner chain sooner if the chain is in a function of its own; see
    /// <doc:LongChains>.
    ///
    /// A million synchronous inner signals need no more stack than one, and an inner signal that has ended leaves
    /// nothing behind. (AsyncSequence's `flatMap` is `.concat` here; Combine's is `.merge(maxConcurrent:)`.)
    ///
    /// - Ends: when the source and all inner signals have ended; with `.race`, when the winner has.
    /// - Fails: with the first failure of the source or of an inner signal that is heard; the others are released
    ///   before.
    /// - Cancelling: ends the source's and all inner subscriptions.
    /// - Buffers: with `.concat` and `.merge` at most `limit` values that wait for their turn; at most 1,024 values of
    ///   inner signals, and with `maxConcurrent` at least two for each signal that may run, while the observer pauses or another thread delivers.
    /// - Thread: that of the signal that sends; a signal that waited is subscribed to where the one before it ended, or
    ///   where the observer made room.
    ///
    /// - Parameters:
    ///   - strategy: which of the inner signals run, and whose values are heard.
    ///   - limit: how many values may wait for their turn; at least one may.
    ///   - transform: makes a signal of a value.
    @inlinable
    @inline(__always)
    public consuming func flatMap<Inner: Signal, Output: Sendable>(
        _ strategy: FlattenStrategy = .merge,
        limit: Int = 1024,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> some Signal<Output, Failure> where Inner.Failure == Failure, Inner.Value == Output {
        FlatMapSignal(upstream: self, strategy: strategy, limit: limit, transform: transform)
    }

    /// Turns each value into a signal, and sends the values of the latest of these signals. See
    /// ``Signal/flatMap(_:limit:_:)`` with `.latest`.
    @inlinable
    @inline(__always)
    public consuming func flatMapLatest<Inner: Signal, Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> some Signal<Output, Failure> where Inner.Failure == Failure, Inner.Value == Output {
        FlatMapSignal(upstream: self, strategy: .latest, limit: 1, transform: transform)
    }
}

extension Signal where Value: Signal, Value.Failure == Failure {
    /// The values of the signals that this signal sends. See ``Signal/flatMap(_:limit:_:)``.
    @inlinable
    @inline(__always)
    public consuming func flatten(
        _ strategy: FlattenStrategy = .merge,
        limit: Int = 1024
    ) -> some Signal<Value.Value, Failure> {
        FlatMapSignal(upstream: self, strategy: strategy, limit: limit, transform: { $0 })
    }

    /// The values of the latest of the signals that this signal sends. See ``Signal/flatMap(_:limit:_:)`` with
    /// `.latest`.
    ///
    /// It ends when this signal and the latest have ended; a new signal ends the previous one before it is subscribed
    /// to.
    @inlinable
    @inline(__always)
    public consuming func switchToLatest() -> some Signal<Value.Value, Failure> {
        FlatMapSignal(upstream: self, strategy: .latest, limit: 1, transform: { $0 })
    }
}

@frozen
@usableFromInline
struct FlatMapSignal<Upstream: Signal, Inner: Signal>: Signal where Inner.Failure == Upstream.Failure {
    @usableFromInline typealias Value = Inner.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let strategy: FlattenStrategy
    @usableFromInline let limit: Int
    @usableFromInline let transform: @Sendable (Upstream.Value) -> Inner

    @inlinable
    init(
        upstream: Upstream,
        strategy: FlattenStrategy,
        limit: Int,
        transform: @escaping @Sendable (Upstream.Value) -> Inner
    ) {
        self.upstream = upstream
        self.strategy = strategy
        self.limit = limit
        self.transform = transform
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        switch strategy.kind {
        case .queue(let maxConcurrent): queue(observer, FlattenQueue(maxConcurrent: maxConcurrent, limit: limit))
        case .first: queue(observer, FlattenQueue(ignoringWhileBusy: ()))
        case .latest: latest(observer)
        case .race: race(observer)
        }
    }

    @inlinable
    func queue<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream,
        _ queue: FlattenQueue<Upstream.Value>
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let queueing = FlattenQueueing(SerialObserver(observer, limit: queue.outputLimit), queue, transform)
        queueing.output.resources.add(upstream.subscribe(QueueingOuterObserver(queueing)))
        return queueing.output.handle
    }

    @inlinable
    func latest<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(FlattenLatestMachine(observer))
        let present = SerialDisposable()
        output.resources.add(present)
        output.resources.add(upstream.subscribe(LatestOuterObserver(output, present, transform)))
        return output.handle
    }

    @inlinable
    func race<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        // The first value decides which of them wins, and there must be room for it.
        if observer.demand == .pause {
            return ConcatSignal(signals: CollectionOfOne(self)).subscribe(AnyObserver(observer))
        }
        let handles = RaceHandles()
        let outer = RaceOuterObserver(RacePrize(observer), handles, transform)
        handles.add(upstream.subscribe(outer), for: RaceHandles.outer)
        return handles
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("flatMap") }
    @usableFromInline var chain: Chain { upstream.chain.appending("flatMap(.\(strategy.description))") }
}
