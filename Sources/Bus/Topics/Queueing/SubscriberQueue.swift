public import Synchronization

/// The values that wait for one subscriber of a topic while the subscriber pauses.
///
/// Its one sender is the topic, which sends one event at a time. So while nothing waits, a value goes to the subscriber
/// without a lock: only the sender touches the downstream. Once the subscriber pauses, the sender only enqueues values, and
/// the thread that is called back drains the queue. When the queue is empty, the drainer hands the subscriber back to the
/// sender.
@usableFromInline
final class SubscriberQueue<Downstream: Observer & ~Copyable>: @unchecked Sendable where Downstream.Failure == Never {
    @usableFromInline typealias Value = Downstream.Value

    /// The sender calls the subscriber.
    @usableFromInline static var direct: UInt8 { 0 }
    /// Values wait in the queue, and only a drainer calls the subscriber.
    @usableFromInline static var holding: UInt8 { 1 }
    /// The end was heard, or the subscription disposed of.
    @usableFromInline static var over: UInt8 { 2 }

    struct State: ResumeSlot, Sendable {
        var pending = PendingEvents<Downstream>()
        /// A thread other than the sender owns the downstream, or the sender asks it to call back.
        var isDraining = false
        /// The subscriber is being asked to call back, and must not be called meanwhile.
        var isAsking = false
        /// It called back while it was being asked.
        var hasCalledBack = false
        /// No sender is left.
        var isAbandoned = false
        /// The downstream is, or is being, released: by the last sender, the drainer or `dispose`.
        private var isReleased = false
        /// The sender's request to be called when there is room.
        var resume: (@Sendable () -> Void)?
        /// When the subscriber paused, in nanoseconds of `CLOCK_MONOTONIC`; 0 while it has room.
        var pausedAt: Int64 = 0
        var times = WaitingTimes()
        /// Values that were taken out of the queue to make room for newer ones.
        var displaced = 0

        /// Whether the caller is the one that releases the downstream, once the lock is given up.
        mutating func claimsRelease() -> Bool {
            defer { isReleased = true }
            return !isReleased
        }
    }

    @usableFromInline let mode = Atomic<UInt8>(0)
    // Touched by the sender in the mode `direct`, and by the one drainer in the mode `holding`; hence no exclusivity check.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    let state = Lock(State())
    let limit: Int
    let overflow: Overflow<Never>
    /// The resources of the subscription; released before the subscriber hears the end.
    @usableFromInline let resources = CompoundDisposable()

    @usableFromInline
    init(_ downstream: consuming Downstream, limit: Int, overflow: Overflow<Never>) {
        self.downstream = consume downstream
        self.limit = max(1, limit)
        self.overflow = overflow
        if self.downstream?.demand == .pause { _ = beginHolding() }
    }

    // MARK: The sender's side

    @inlinable
    func next(_ value: Value) -> Demand {
        guard mode.load(ordering: .acquiring) == Self.direct else { return hold(value) }
        let demand = downstream?.next(value) ?? .stop
        return demand == .pause ? beginHolding() : demand
    }

    @usableFromInline
    func lost(_ count: Int) {
        let isHeld = state.withLock { state -> Bool in
            guard mode.load(ordering: .relaxed) == Self.holding else { return false }
            state.pending.appendLoss(of: count)
            return true
        }
        if !isHeld, mode.load(ordering: .relaxed) == Self.direct { downstream?.lost(count) }
    }

    @usableFromInline
    func terminate() {
        let isHeld = state.withLock { state -> Bool in
            guard mode.load(ordering: .relaxed) == Self.holding else { return false }
            state.pending.append(.terminate(.completed))
            return true
        }
        if !isHeld, mode.load(ordering: .relaxed) == Self.direct { finish() }
    }

    /// No sender is left: the subscriber is released when it has heard the waiting values.
    @usableFromInline
    func abandon() {
        let isIdle = state.withLock { state -> Bool in
            state.isAbandoned = true
            return !state.isDraining && (mode.load(ordering: .relaxed) != Self.holding || state.pending.isEmpty)
                && state.claimsRelease()
        }
        // A drainer at work does it when it is done.
        if isIdle { downstream = nil }
    }

    @usableFromInline
    var demand: Demand {
        switch mode.load(ordering: .acquiring) {
        case Self.direct: downstream?.demand == .stop ? .stop : .more
        case Self.holding: state.withLock { $0.pending.values < limit ? .more : .pause }
        default: .stop
        }
    }

    @usableFromInline
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        state.whenReady(resume) { state in
            switch mode.load(ordering: .relaxed) {
            case Self.direct: .more
            case Self.holding: state.pending.values < limit ? .more : .pause
            default: .stop
            }
        }
    }

    /// Enqueues a value, or loses one as the policy says.
    @usableFromInline
    func hold(_ value: Value) -> Demand {
        var displaced: PendingEvents<Downstream>.Entry?
        let demand = state.withLock { state -> Demand? in
            switch mode.load(ordering: .relaxed) {
            // A drainer has handed the subscriber back since the sender looked.
            case Self.direct: return nil
            case Self.holding: break
            default: return .stop
            }
            if !state.pending.append(.next(value), limit: limit) {
                state.pending.lost += 1
                if case .dropOldest = overflow, let oldest = state.pending.loseOldest() {
                    displaced = oldest
                    state.displaced += 1
                    _ = state.pending.append(.next(value), limit: limit)
                } else {
                    state.pending.appendLoss(of: 1)
                }
            }
            return state.pending.values < limit ? .more : .pause
        }
        withExtendedLifetime(displaced) {}
        return demand ?? next(value)
    }

    /// The subscriber has paused: from here on values wait, until it calls back.
    @usableFromInline
    func beginHolding() -> Demand {
        guard change(from: Self.direct, to: Self.holding) else { return .stop }
        switch askForRoom() {
        case .more: drain()
        case .pause: break
        case .stop:
            state.withLock { $0.isDraining = false }
            _ = change(from: Self.holding, to: Self.direct)
            return .stop
        }
        return demand
    }

    private func change(from old: UInt8, to new: UInt8) -> Bool {
        mode.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    // MARK: The end

    /// Ends the subscription without telling the subscriber.
    func dispose() {
        let (leftover, isLast) = state.withLock { state -> (Leftover, Bool) in
            (close(&state), state.isAbandoned && !state.isDraining && state.claimsRelease())
        }
        withExtendedLifetime(leftover) {}
        // Its sender had left it to a drainer, which will not come any more.
        if isLast { downstream = nil }
        resources.dispose()
    }

    /// Tells the subscriber the end; called by the thread that owns the downstream.
    func finish() {
        let leftover = state.withLock { state in close(&state) }
        withExtendedLifetime(leftover) {}
        resources.dispose()
        downstream.take()?.terminate(.completed)
    }

    /// The content of a queue that was closed. It is released without the lock, because that may run any code.
    private typealias Leftover = (pending: PendingEvents<Downstream>, resume: (@Sendable () -> Void)?)

    private func close(_ state: inout State) -> Leftover {
        mode.store(Self.over, ordering: .releasing)
        defer { state.pending = PendingEvents() }
        return (state.pending, state.resume.take())
    }
}

/// Ends the subscription behind a queue.
@usableFromInline
struct QueueHandle<Downstream: Observer & ~Copyable>: Disposable where Downstream.Failure == Never {
    private let queue: SubscriberQueue<Downstream>

    @usableFromInline
    init(_ queue: SubscriberQueue<Downstream>) {
        self.queue = queue
    }

    @usableFromInline
    func dispose() { queue.dispose() }

    @usableFromInline var isDisposed: Bool { queue.resources.isDisposed }
}
