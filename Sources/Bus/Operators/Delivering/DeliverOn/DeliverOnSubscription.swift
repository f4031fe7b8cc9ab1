public import DequeModule
import Glibc
public import Synchronization

/// One subscription to a `deliver(on:)`: the sender fills the queue, one scheduled drain empties it.
@usableFromInline
final class DeliverOnSubscription<Downstream: Observer & ~Copyable, Target: Scheduler>: @unchecked Sendable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Batch = HandoverQueue<Value, Failure>.Batch

    /// What becomes of the queue on the scheduler's side. Whoever is not idle owns `downstream` and the values taken out.
    @frozen
    @usableFromInline
    enum Drain: Sendable {
        case idle
        /// Scheduled or at work.
        case running
        /// At work, and the downstream, which had paused, has called back already.
        case runningAndReady
        /// The downstream paused with values at hand, and will call back.
        case parked
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var queue: HandoverQueue<Value, Failure>
        @usableFromInline var drain = Drain.idle
        /// Upstream's `subscribe` has returned, so that `upstream` can release it.
        @usableFromInline var isSubscribed = false
        /// Nobody is left who could send; with the queue empty, the chain below is let go of.
        @usableFromInline var isAbandoned = false
        /// What the sender, told to pause, left to be called.
        @usableFromInline var resume: (@Sendable () -> Void)?

        @usableFromInline
        init(queue: HandoverQueue<Value, Failure>) {
            self.queue = queue
        }
    }

    @usableFromInline static var open: UInt8 { 0 }
    /// The queue is full, and the sender was told to pause.
    @usableFromInline static var paused: UInt8 { 1 }
    /// The downstream wants no more; the end is awaited from upstream.
    @usableFromInline static var stopping: UInt8 { 2 }
    /// Nothing more is to be delivered.
    @usableFromInline static var closed: UInt8 { 3 }

    /// After a batch of at least this many values the drain leaves its sender `lookInterval` nanoseconds before it looks
    /// again. Each look moves the queue from one processor's cache to the other's, and the loser of a race for the lock sleeps.
    @usableFromInline static var largeBatch: Int { 64 }
    @usableFromInline static var lookInterval: Int { 10_000 }
    /// After a smaller batch it yields once. After this many of them on end it looks at once, until the queue is empty.
    @usableFromInline static var patience: Int { 4 }

    /// A drain that has delivered this many values lets other work on its scheduler run.
    @usableFromInline static var burst: Int { 8192 }

    @usableFromInline let scheduler: Target
    @usableFromInline let state: Lock<State>
    @usableFromInline let phase = Atomic<UInt8>(0)
    @usableFromInline let upstream = SerialDisposable()
    // Touched by the drain alone, of which there is one; hence no exclusivity check.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    // The values that were taken out, and the first of them that is yet to be delivered. It changes places with the one being
    // filled, so that neither is allocated anew.
    @exclusivity(unchecked) @usableFromInline var batch = Batch()
    @exclusivity(unchecked) @usableFromInline var position = 0

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

    /// Whether values are still to be delivered.
    @inlinable
    var isWanted: Bool { phase.load(ordering: .acquiring) < Self.stopping }

    /// Whether nothing is to be delivered any more, the end included.
    @inlinable
    var isClosed: Bool { phase.load(ordering: .acquiring) == Self.closed }

    @inlinable
    var demand: Demand {
        switch phase.load(ordering: .acquiring) {
        case Self.open: .more
        case Self.paused: .pause
        default: .stop
        }
    }

    // MARK: The sender's side

    @inlinable
    func next(_ value: Value) -> Demand {
        guard isWanted else { return .stop }
        let (arrival, isFirst) = state.withLock { state -> (HandoverQueue<Value, Failure>.Arrival, Bool) in
            let arrival = state.queue.append(value)
            if arrival == .full { change(from: Self.open, to: Self.paused) }
            guard arrival != .closed, state.drain == .idle else { return (arrival, false) }
            state.drain = .running
            return (arrival, true)
        }
        if isFirst { scheduleDrain() }
        return switch arrival {
        case .accepted: .more
        case .full: demand
        case .closed: .stop
        }
    }

    @usableFromInline
    @discardableResult
    func change(from old: UInt8, to new: UInt8) -> Bool {
        phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    @usableFromInline
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        // Whoever makes room does so under the lock, and looks there for whom to call.
        let (answer, previous) = state.withLock { state -> (Demand, (@Sendable () -> Void)?) in
            let answer = demand
            guard answer == .pause else { return (answer, nil) }
            defer { state.resume = resume }
            return (answer, state.resume)
        }
        // Let go of here, not under the lock.
        withExtendedLifetime(previous) {}
        return answer
    }

    @usableFromInline
    func lost(_ count: Int) {
        change { $0.queue.lose(count) }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        change { $0.queue.terminate(termination) }
    }

    /// Changes the queue, and sees to it that what is then in it is delivered.
    @usableFromInline
    func change(_ body: (inout State) -> Void) {
        let isFirst = state.withLock { state -> Bool in
            body(&state)
            guard !state.queue.isEmpty, state.drain == .idle else { return false }
            state.drain = .running
            return true
        }
        if isFirst { scheduleDrain() }
    }

    /// Upstream's `subscribe` has returned.
    @usableFromInline
    func subscribed(_ handle: any Disposable) {
        upstream.set(handle)
        let endsHere = state.withLock { state -> Bool in
            state.isSubscribed = true
            return !isWanted && !state.queue.isClosed
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
        var smallBatches = 0
        while delivered < Self.burst {
            if batch.isEmpty {
                guard takeBatch() else { return releaseIfClosed() }
            }
            let count = batch.values.count - position
            guard deliverBatch() else {
                if park() { return }
                continue
            }
            delivered += count
            let isLarge = count >= Self.largeBatch
            smallBatches = isLarge ? 0 : smallBatches + 1
            if smallBatches <= Self.patience { letSenderRun(for: isLarge ? Self.lookInterval : 0) }
        }
        scheduleDrain()
    }

    /// Takes out everything that waits, which leaves room for as much again. False when there is nothing.
    @inlinable
    func takeBatch() -> Bool {
        let (isOver, resume) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard !state.queue.isEmpty, !isClosed else {
                if state.isAbandoned, isWanted { phase.store(Self.closed, ordering: .releasing) }
                state.drain = .idle
                return (true, nil)
            }
            state.queue.exchange(for: &batch)
            guard change(from: Self.paused, to: Self.open) else { return (false, nil) }
            return (false, state.resume.take())
        }
        resume?()
        return !isOver
    }

    /// Yields the processor for `time` nanoseconds at most, and at least once. Not while the sender pauses: the queue is full
    /// then, and a sender that goes on on this thread has filled it already.
    ///
    /// It yields and does not spin: beside other work on the machine, spinning doubles the processor time of an event.
    @usableFromInline
    func letSenderRun(for time: Int) {
        guard phase.load(ordering: .relaxed) == Self.open else { return }
        guard time > 0 else {
            sched_yield()
            return
        }
        let end = Self.now() + time
        repeat { sched_yield() } while phase.load(ordering: .relaxed) == Self.open && Self.now() < end
    }

    /// Monotonic time in nanoseconds.
    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Delivers what was taken out. False when the downstream paused, and something is left.
    @inlinable
    func deliverBatch() -> Bool {
        // Somebody else may have taken the room since the downstream was heard last.
        if position < batch.values.count, isWanted, downstream?.demand == .pause, !goesOn(after: .pause) {
            return false
        }
        guard batch.gaps.isEmpty ? deliverValues() : deliverWithGaps() else { return false }
        let end = batch.end
        batch.reset()
        position = 0
        if let end { finish(end) }
        return true
    }

    @inlinable
    func deliverValues() -> Bool {
        let values = batch.values
        var index = position
        while index < values.count, isWanted {
            let demand = downstream?.next(values[index]) ?? .stop
            index += 1
            guard demand != .more else { continue }
            position = index
            if !goesOn(after: demand) { return false }
        }
        return true
    }

    @usableFromInline
    func deliverWithGaps() -> Bool {
        while position < batch.values.count, isWanted {
            let missing = batch.gaps.take(before: position)
            if missing > 0 { downstream?.lost(missing) }
            let demand = downstream?.next(batch.values[position]) ?? .stop
            position += 1
            if demand != .more, !goesOn(after: demand) { return false }
        }
        let missing = batch.gaps.total
        if missing > 0, isWanted { downstream?.lost(missing) }
        return true
    }

    /// Whether the drain is to go on after an answer other than `more`.
    @usableFromInline
    func goesOn(after demand: Demand) -> Bool {
        guard demand == .pause else {
            stop()
            return true
        }
        let answer = downstream?.whenReady { [self] in ready() } ?? .stop
        if answer == .stop { stop() }
        return answer != .pause
    }

    /// Leaves the rest for when the downstream calls back. False when it already has, and the caller goes on.
    @usableFromInline
    func park() -> Bool {
        let isParked = state.withLock { state -> Bool in
            let isParked = state.drain != .runningAndReady && !isClosed
            state.drain = isParked ? .parked : .running
            return isParked
        }
        return isParked
    }

    /// The downstream has room again.
    private func ready() {
        let isParked = state.withLock { state -> Bool in
            guard state.drain == .parked else {
                if state.drain == .running { state.drain = .runningAndReady }
                return false
            }
            state.drain = .running
            return true
        }
        if isParked { scheduleDrain() }
    }

    @usableFromInline
    func stop() {
        let isReleasable = state.withLock { state -> Bool in
            if !change(from: Self.open, to: Self.stopping) { change(from: Self.paused, to: Self.stopping) }
            return state.isSubscribed
        }
        // While upstream still subscribes it learns of the stop from its next value, or in `subscribed`.
        if isReleasable {
            upstream.dispose()
            finish(.completed)
        }
    }

    @usableFromInline
    func finish(_ termination: Termination<Failure>) {
        let previous = phase.exchange(Self.closed, ordering: .acquiringAndReleasing)
        guard previous != Self.closed else { return }
        upstream.dispose()
        dropResume()
        downstream.take()?.terminate(previous == Self.stopping ? .completed : termination)
    }

    // MARK: Disposal

    @usableFromInline
    func dispose() {
        phase.store(Self.closed, ordering: .releasing)
        upstream.dispose()
        dropResume()
        releaseIfClosed()
    }

    private func dropResume() {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in state.resume.take() }
        // Let go of here, not under the lock.
        withExtendedLifetime(resume) {}
    }

    /// Nobody is left who could send: what waits is delivered, and then the chain below is freed.
    @usableFromInline
    func abandon() {
        let isIdle = state.withLock { state -> Bool in
            state.isAbandoned = true
            // Whoever asked to stop is owed an end, by `stop` or, when it was asked while upstream subscribed, by `subscribed`.
            guard isWanted, state.queue.isEmpty, state.drain == .idle, !state.queue.isClosed else { return false }
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
            guard state.drain == .idle || state.drain == .parked else { return (false, nil) }
            state.drain = .running
            return (true, state.queue.take())
        }
        if isOwner {
            downstream = nil
            batch = Batch()
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
