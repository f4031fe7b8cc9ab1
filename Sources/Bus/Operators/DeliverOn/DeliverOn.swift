extension Signal {
    /// The same events, heard on a scheduler.
    ///
    /// ```
    /// self        --1-2-3----4--|
    /// deliver(on) ---1-2-3----4--|
    /// ```
    ///
    /// Order is kept, the end included, also on a concurrent scheduler. Between the two sides is a queue of at most
    /// `limit` values; the values being delivered, at most as many again, are taken out of it together, so that a hop
    /// costs one scheduled piece of work for as many values as have gathered.
    ///
    /// After disposal on the scheduler nothing is delivered; from another thread, at most the event in flight.
    ///
    /// - Parameters:
    ///   - scheduler: where the observer is called.
    ///   - limit: how many values may wait; at least one does.
    ///   - overflow: what becomes of a value that finds the queue full.
    ///   - onLoss: called on the scheduler, in the place where they are missing, with the number of values lost.
    @inlinable
    public func deliver<Target: Scheduler>(
        on scheduler: Target,
        limit: Int = 1024,
        overflow: Overflow<Failure> = .wait,
        onLoss: (@Sendable (_ lost: Int) -> Void)? = nil
    ) -> some Signal<Value, Failure> {
        DeliverOnSignal(
            upstream: self,
            scheduler: scheduler,
            queue: HandoverQueue(limit: limit, overflow: overflow),
            onLoss: onLoss
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
    @usableFromInline let queue: HandoverQueue<Value, Failure>
    @usableFromInline let onLoss: (@Sendable (Int) -> Void)?

    @inlinable
    init(
        upstream: Upstream,
        scheduler: Target,
        queue: HandoverQueue<Value, Failure>,
        onLoss: (@Sendable (Int) -> Void)?
    ) {
        self.upstream = upstream
        self.scheduler = scheduler
        self.queue = queue
        self.onLoss = onLoss
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let delivery = DeliverOnSubscription(observer, scheduler: scheduler, queue: queue, onLoss: onLoss)
        let handle = delivery.handle
        delivery.subscribed(upstream.subscribe(DeliverOnObserver(delivery)))
        return handle
    }
}

@frozen
@usableFromInline
struct DeliverOnObserver<Downstream: Observer & ~Copyable, Target: Scheduler>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let delivery: DeliverOnSubscription<Downstream, Target>

    @inlinable
    init(_ delivery: DeliverOnSubscription<Downstream, Target>) {
        self.delivery = delivery
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { delivery.next(value) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { delivery.terminate(termination) }

    @inlinable
    var demand: Demand { delivery.demand }
}
