extension Signal {
    /// The same events, heard on a scheduler.
    ///
    /// ```
    /// self        --1-2-3----4--|
    /// deliver(on) ---1-2-3----4--|
    /// ```
    ///
    /// Order is kept, the end included, also on a concurrent scheduler. Between the two sides is a queue of at most
    /// `limit` values. The values being delivered, at most as many again, are taken out of it together, so that a hop
    /// costs one scheduled piece of work for as many values as have gathered. When the queue is full, the source is
    /// told to pause until the values in it are taken out. While the observer pauses, values wait here.
    ///
    /// The observer learns how many values were lost at the point in the sequence where they are missing
    /// (`on(lost:)`).
    ///
    /// - Ends: with the source, after all waiting values.
    /// - Fails: with the source, after all waiting values; as `overflow` says.
    /// - Cancelling: ends the source's subscription and drops the waiting values. On the scheduler nothing is heard
    ///   after it; from another thread, at most the event in flight.
    /// - Buffers: at most `limit` values, and as many being delivered.
    /// - Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - scheduler: where the observer is called.
    ///   - limit: how many values may wait; at least one does.
    ///   - overflow: what happens to a value when the queue is full. By default the source is paused before that, and
    ///     only a source that cannot pause loses the newest.
    @inlinable
    public consuming func deliver<Target: Scheduler>(
        on scheduler: Target,
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause
    ) -> some Signal<Value, Failure> {
        DeliverOnSignal(
            upstream: self,
            scheduler: scheduler,
            limit: limit,
            overflow: overflow
        )
    }
}

@frozen
@usableFromInline
struct DeliverOnSignal<Upstream: Signal, Target: Scheduler>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let scheduler: Target
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Failure>

    @inlinable
    init(
        upstream: Upstream,
        scheduler: Target,
        limit: Int,
        overflow: Overflow<Failure>
    ) {
        self.upstream = upstream
        self.scheduler = scheduler
        self.limit = limit
        self.overflow = overflow
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let delivery = DeliverOnSubscription(observer, scheduler: scheduler, limit: limit, overflow: overflow)
        delivery.subscribed(upstream.subscribe(DeliverOnObserver(delivery)))
        return delivery.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("deliver(on:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("deliver(\(Chain.name(of: scheduler)))") }
}

@frozen
@usableFromInline
struct DeliverOnObserver<Downstream: Observer & ~Copyable, Target: Scheduler>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let delivery: DeliverOnSubscription<Downstream, Target>
    @usableFromInline let sender: DropGuard<DeliverOnSubscription<Downstream, Target>>

    @inlinable
    init(_ delivery: DeliverOnSubscription<Downstream, Target>) {
        self.delivery = delivery
        sender = DropGuard(delivery)
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { delivery.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { delivery.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { delivery.terminate(termination) }

    @inlinable
    var demand: Demand { delivery.phase.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { delivery.whenReady(resume) }
}
