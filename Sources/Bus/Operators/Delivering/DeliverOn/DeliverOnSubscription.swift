public import DequeModule
import Glibc
public import Synchronization

/// One subscription to a `deliver(on:)`: the sender fills the queue, one scheduled drain empties it.
@usableFromInline
final class DeliverOnSubscription<Downstream: Observer & ~Copyable, Target: Scheduler>: @unchecked Sendable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Batch = HandoverQueue<Value, Failure>.Batch

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var queue: HandoverQueue<Value, Failure>
        /// A drain is scheduled or running; whoever sets it owns `downstream` until it is cleared.
        @usableFromInline var isDraining = false
        /// Upstream's `subscribe` has returned, so that `upstream` can release it.
        @usableFromInline var isSubscribed = false
        /// Nobody is left who could send; with the queue empty, the chain below is let go of.
        @usableFromInline var isAbandoned = false

        @usableFromInline
        init(queue: HandoverQueue<Value, Failure>) {
            self.queue = queue
        }
    }

    @usableFromInline static var open: UInt8 { 0 }
    /// The downstream wants no more; the end is awaited from upstream.
    @usableFromInline static var stopping: UInt8 { 1 }
    /// Nothing more is to be delivered.
    @usableFromInline static var closed: UInt8 { 2 }

    /// A batch smaller than this shows that the drain has caught up with its sender. It then lets the sender run before
    /// it looks again, for a few times on end: taking values one by one, the two would mostly wait for each other.
    @usableFromInline static var smallBatch: Int { 64 }
    @usableFromInline static var patience: Int { 4 }

    /// A drain that has delivered this many values lets other work on its scheduler run.
    @usableFromInline static var burst: Int { 8192 }

    @usableFromInline let scheduler: Target
    @usableFromInline let state: Lock<State>
    @usableFromInline let room = WaitingRoom()
    @usableFromInline let phase = Atomic<UInt8>(0)
    @usableFromInline let upstream = SerialDisposable()
    // Touched by the drain alone, of which `isDraining` allows one; hence no exclusivity check.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

    @inlinable
    init(
        _ downstream: consuming Downstream,
        scheduler: Target,
        queue: HandoverQueue<Value, Failure>
    ) {
        self.downstream = consume downstream
        self.scheduler = scheduler
        self.state = Lock(State(queue: queue))
    }

    @inlinable
    var isOpen: Bool { phase.load(ordering: .acquiring) == Self.open }

    @inlinable
    var isClosed: Bool { phase.load(ordering: .acquiring) == Self.closed }

    @inlinable
    var demand: Demand { isOpen ? .more : .stop }

    // MARK: The sender's side

    @inlinable
    func next(_ value: Value) -> Demand {
        guard isOpen else { return .stop }
        let (arrival, isFirst) = state.withLock { state -> (HandoverQueue<Value, Failure>.Arrival, Bool) in
            let arrival = state.queue.append(value)
            guard arrival == .accepted, !state.isDraining else { return (arrival, false) }
            state.isDraining = true
            return (arrival, true)
        }
        if isFirst { scheduleDrain() }
        return arrival == .accepted ? .more : notAccepted(value, arrival)
    }

    @inlinable
    func notAccepted(_ value: Value, _ arrival: HandoverQueue<Value, Failure>.Arrival) -> Demand {
        guard arrival == .mustWait else { return .stop }
        var arrival = arrival
        let admission = room.admit(
            mayWait: { !scheduler.isCurrent },
            isClosed: { !self.isOpen || arrival == .closed },
            attempt: {
                arrival = change { $0.queue.append(value) }
                return arrival == .accepted
            }
        )
        switch admission {
        case .admitted: return .more
        case .closed: return .stop
        case .refused:
            lost(1)
            return demand
        }
    }

    @usableFromInline
    func lost(_ count: Int) {
        change { $0.queue.lose(count) }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        change { $0.queue.terminate(termination) }
    }

    /// Changes the state, and schedules a drain when there is something to deliver and none is on its way.
    @inlinable
    @discardableResult
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, isFirst) = state.withLock { state -> (Result, Bool) in
            let result = body(&state)
            guard !state.queue.isEmpty, !state.isDraining else { return (result, false) }
            state.isDraining = true
            return (result, true)
        }
        if isFirst { scheduleDrain() }
        return result
    }

    /// Upstream's `subscribe` has returned.
    @usableFromInline
    func subscribed(_ handle: any Disposable) {
        upstream.set(handle)
        let endsHere = state.withLock { state -> Bool in
            state.isSubscribed = true
            return !isOpen && !state.queue.isClosed
        }
        if endsHere {
            handle.dispose()
            terminate(.completed)
        }
    }

    // MARK: The scheduler's side

    @inlinable
    func scheduleDrain() {
        scheduler.schedule { self.drain() }
    }

    @inlinable
    func drain() {
        var delivered = 0
        // Changes places with the one being filled, so that neither is allocated anew.
        var batch = Batch()
        var smallBatches = 0
        while delivered < Self.burst {
            let isOver = state.withLock { state -> Bool in
                guard !state.queue.isEmpty, !isClosed else {
                    if state.isAbandoned, isOpen { phase.store(Self.closed, ordering: .releasing) }
                    state.isDraining = false
                    return true
                }
                state.queue.exchange(for: &batch)
                return false
            }
            if isOver { return releaseIfClosed() }
            room.wake()
            deliver(batch)
            delivered += batch.values.count
            smallBatches = batch.values.count < Self.smallBatch ? smallBatches + 1 : 0
            if smallBatches > 0, smallBatches <= Self.patience { letSenderRun() }
            batch.reset()
        }
        scheduleDrain()
    }

    @usableFromInline
    func letSenderRun() { sched_yield() }

    @inlinable
    func deliver(_ batch: Batch) {
        if batch.gaps.isEmpty {
            for value in batch.values {
                guard isOpen else { break }
                if downstream?.next(value) == .stop { stop() }
            }
        } else {
            deliverWithGaps(batch)
        }
        if let termination = batch.termination { finish(termination) }
    }

    @usableFromInline
    func deliverWithGaps(_ batch: Batch) {
        var gaps = batch.gaps
        for (index, value) in batch.values.enumerated() {
            let missing = gaps.take(before: index)
            if missing > 0, isOpen { downstream?.lost(missing) }
            guard isOpen else { break }
            if downstream?.next(value) == .stop { stop() }
        }
        let missing = gaps.total
        if missing > 0, isOpen { downstream?.lost(missing) }
    }

    /// The downstream wants no more: upstream is released, and then the end follows.
    @usableFromInline
    func stop() {
        let isReleasable = state.withLock { state -> Bool in
            _ = phase.compareExchange(expected: Self.open, desired: Self.stopping, ordering: .acquiringAndReleasing)
            return state.isSubscribed
        }
        room.wake()
        // While upstream still subscribes it learns of the stop from its next value, or in `subscribed`.
        if isReleasable {
            upstream.dispose()
            finish(.completed)
        }
    }

    /// Upstream has been released; the downstream hears the end.
    @usableFromInline
    func finish(_ termination: Termination<Failure>) {
        let previous = phase.exchange(Self.closed, ordering: .acquiringAndReleasing)
        guard previous != Self.closed else { return }
        upstream.dispose()
        downstream.take()?.terminate(previous == Self.stopping ? .completed : termination)
    }

    // MARK: Disposal

    @usableFromInline
    func dispose() {
        phase.store(Self.closed, ordering: .releasing)
        upstream.dispose()
        room.wake()
        releaseIfClosed()
    }

    /// Nobody is left who could send: what waits is delivered, and then the chain below is freed.
    @usableFromInline
    func abandon() {
        let isIdle = state.withLock { state -> Bool in
            state.isAbandoned = true
            // Whoever asked to stop is owed an end, by `stop` or, when it was asked while upstream subscribed, by `subscribed`.
            guard isOpen, state.queue.isEmpty, !state.isDraining, !state.queue.isClosed else { return false }
            phase.store(Self.closed, ordering: .releasing)
            return true
        }
        if isIdle { releaseIfClosed() }
    }

    /// Frees the chain below once nothing more will be delivered, unless a drain is at work, which then does it.
    @usableFromInline
    func releaseIfClosed() {
        guard isClosed else { return }
        let (isOwner, dropped) = state.withLock { state -> (Bool, Batch?) in
            guard !state.isDraining else { return (false, nil) }
            state.isDraining = true
            return (true, state.queue.take())
        }
        if isOwner {
            downstream = nil
            // The waiting values go after the lock: their deinitialisers may be anybody's.
            _ = dropped
        }
    }

    @usableFromInline
    var handle: any Disposable { DeliverOnHandle(delivery: self) }
}

/// Ends a subscription to a `deliver(on:)`.
struct DeliverOnHandle<Downstream: Observer & ~Copyable, Target: Scheduler>: Disposable {
    let delivery: DeliverOnSubscription<Downstream, Target>

    func dispose() { delivery.dispose() }

    var isDisposed: Bool { delivery.upstream.isDisposed }
}

/// The right to send into a `deliver(on:)`; when it goes, nothing can come any more.
@usableFromInline
final class DeliverOnSender<Downstream: Observer & ~Copyable, Target: Scheduler>: Sendable {
    private let delivery: DeliverOnSubscription<Downstream, Target>

    @usableFromInline
    init(_ delivery: DeliverOnSubscription<Downstream, Target>) {
        self.delivery = delivery
    }

    deinit {
        delivery.abandon()
    }
}
