/// One subscription to a `deliver(on:)`: the sender fills a queue, one scheduled drain empties it.
@usableFromInline
final class DeliverOnSubscription<Downstream: Observer & ~Copyable, Target: Scheduler>: @unchecked Sendable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Queue = HandoverQueue<Value, Failure>

    /// The state of the drain that attends to the queue. It owns `downstream` and the values taken out.
    @frozen
    @usableFromInline
    enum Drain: Sendable {
        /// Scheduled or at work.
        case running
        /// At work, and the downstream, which had paused, has called back already.
        case runningAndReady
        /// The downstream paused with values at hand, and will call back.
        case parked
    }

    @usableFromInline
    struct State: ResumeSlot, Sendable {
        @usableFromInline var queue: Queue.Guarded
        @usableFromInline var drain = Drain.running
        /// Upstream's `subscribe` has returned, so that `upstream` can release it.
        @usableFromInline var isSubscribed = false
        /// No sender is left; with the queue empty, the chain below is released.
        @usableFromInline var isAbandoned = false
        /// The closure that the paused sender left to be called.
        @usableFromInline var resume: (@Sendable () -> Void)?
        /// How many values were taken out of the queue together the last time.
        @usableFromInline var taken = 0
        /// The subscriber of a bus whose end is in the queue; it is done when it has heard the end.
        var listener: Listener?

        @usableFromInline
        init(queue: Queue.Guarded) {
            self.queue = queue
        }
    }

    /// After a batch of at least this many values the drain gives its sender `lookInterval` nanoseconds before it
    /// looks again. Each look moves the queue from one processor's cache to the other's, and the loser of a race for
    /// the lock sleeps.
    @usableFromInline static var largeBatch: Int { 64 }
    @usableFromInline static var lookInterval: Int { 10_000 }
    /// After a smaller batch it yields once. After this many small batches in a row it looks at once, until the queue
    /// is empty.
    @usableFromInline static var patience: Int { 4 }

    /// A drain that has delivered this many values lets other work on its scheduler run.
    @usableFromInline static var burst: Int { 8192 }

    @usableFromInline let scheduler: Target
    @usableFromInline let state: Lock<State>
    @usableFromInline let queue: Queue
    @usableFromInline let phase = DeliveryPhase()
    @usableFromInline let upstream = SerialDisposable()
    // Both sides read the fields above with every value, and the scheduler's side writes the fields below.
    private let between = CacheLines()
    // Touched only by the drain, of which there is one; hence no exclusivity check.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    @exclusivity(unchecked) @usableFromInline var batch: Queue.Batch

    @usableFromInline
    init(
        _ downstream: consuming Downstream,
        scheduler: Target,
        limit: Int,
        overflow: Overflow<Failure>
    ) {
        self.downstream = consume downstream
        self.scheduler = scheduler
        let queue = Queue(limit: limit)
        let guarded = Queue.Guarded(queue.tail, overflow)
        self.queue = queue
        batch = Queue.Batch(at: guarded.head)
        state = Lock(State(queue: guarded))
    }

    deinit {
        dropValues()
        dropListener()
    }

    /// Whether values are still to be delivered.
    @inlinable
    var isWanted: Bool { !phase.isClosing }

    // MARK: Disposal

    @usableFromInline
    func dispose() {
        phase.close()
        upstream.dispose()
        state.dropResume()
        releaseIfClosed()
    }

    /// No sender is left: the waiting values are delivered, and then the chain below is freed.
    @usableFromInline
    func abandon() {
        let isIdle = state.withLock { state -> Bool in
            state.isAbandoned = true
            // The observer that asked to stop is owed an end, by `stop` or, when it was asked while upstream
            // subscribed, by `subscribed`.
            guard isWanted, !state.queue.record.isClosed, queue.isEmpty(state.queue), !queue.isAttended else {
                return false
            }
            phase.close()
            return true
        }
        if isIdle { releaseIfClosed() }
    }

    /// Frees the chain below once nothing more will be delivered, unless a drain is at work, which then does it.
    @usableFromInline
    func releaseIfClosed() {
        guard phase.isClosed else { return }
        let isOwner = state.withLock { state -> Bool in
            guard queue.attend() || state.drain == .parked else { return false }
            state.drain = .running
            return true
        }
        if isOwner { free() }
    }

    /// Called by the drain that attends to the queue, and keeps it: no other drain may attend to it again.
    @usableFromInline
    func free() {
        downstream = nil
        dropValues()
        dropListener()
    }

    private func dropValues() {
        batch.reset()
        state.withLock { state in queue.take(into: &batch, &state.queue) }
        // After the lock: the values' deinitialisers may run any code.
        batch.reset()
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

/// For a subscriber of a bus behind the hop. It is not done before it has heard the end.
extension DeliverOnSubscription where Downstream: ~Copyable {
    /// Reports how many values wait here for the subscriber.
    func waits(_ listener: Listener) {
        listener.waits { [state, queue] in state.withLock { $0.taken } + queue.waiting }
    }

    /// Delivers the end.
    func endListening(_ deliver: () -> Void) {
        let listener = state.withLock { $0.listener.take() }
        if let listener { listener.end(deliver) } else { deliver() }
    }

    /// The subscriber will not hear the end.
    func dropListener() {
        let listener = state.withLock { $0.listener.take() }
        withExtendedLifetime(listener) {}
    }
}

extension DeliverOnSubscription: Abandonable where Downstream: ~Copyable {}
