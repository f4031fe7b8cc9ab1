public import Synchronization

/// Subscribes for one downstream again and again.
///
/// The downstream travels: while a round runs it belongs to that round's observer, so that it is freed when the
/// source is, and between two rounds it waits here. Nothing else is kept from one round to the next.
@usableFromInline
final class Rounds<Rule: RoundRule, Downstream: Observer & ~Copyable>: @unchecked Sendable
where Rule.Failure == Downstream.Failure {
    @usableFromInline typealias Start = @Sendable (consuming RoundObserver<Rule, Downstream>) -> any Disposable

    @usableFromInline let gate = SubscriptionGate()
    @usableFromInline let starts = Trampoline()
    @usableFromInline let subscribe: Start
    /// Set when `arrived` is written, and cleared by the turn of `starts` that takes it. A turn can be under way when a round ends:
    /// a call for room may come late.
    @usableFromInline let hasArrived = Atomic<Bool>(false)
    /// The downstream of the one round that has ended.
    @exclusivity(unchecked) @usableFromInline var arrived: Downstream?
    // Touched by the caller that takes a turn of `starts`, one at a time.
    @exclusivity(unchecked) @usableFromInline var idle: Downstream?
    // Touched by the one round that has ended, before the next begins.
    @exclusivity(unchecked) @usableFromInline var rule: Rule
    /// Called by a disposal while there is no room; it holds this object.
    @exclusivity(unchecked) @usableFromInline var waiting: ActionDisposable?

    @inlinable
    init(_ rule: Rule, _ subscribe: @escaping Start) {
        self.rule = rule
        self.subscribe = subscribe
    }

    @inlinable
    func start(_ downstream: consuming Downstream) {
        arrived = consume downstream
        hasArrived.store(true, ordering: .releasing)
        goOn()
    }

    /// Starts a round, unless one runs.
    @inlinable
    func goOn() {
        // A round that ends while it is being subscribed to asks from inside; its successor starts in the same loop.
        starts.run {
            if hasArrived.exchange(false, ordering: .acquiring) { idle = arrived.take() }
            if idle == nil { return }
            if gate.isDisposed {
                idle = nil
            } else if isReady(), let downstream = idle.take() {
                waiting.take()?.forgo()
                gate.carry(subscribe(RoundObserver(downstream, self, gate)))
            }
        }
    }

    /// Whether a round may start; while the downstream pauses, it calls back, and so does a disposal.
    @usableFromInline
    func isReady() -> Bool {
        guard idle?.demand == .pause, idle?.whenReady({ self.goOn() }) == .pause else { return true }
        let waiting = ActionDisposable { self.goOn() }
        self.waiting?.forgo()
        self.waiting = waiting
        gate.carry(waiting)
        return false
    }

    @inlinable
    func ended(_ termination: Termination<Rule.InputFailure>, _ downstream: consuming Downstream) {
        if gate.isDisposed { return }
        if let end = rule.ended(termination) {
            downstream.terminate(end)
        } else {
            start(downstream)
        }
    }
}

/// Hears one round.
@frozen
@usableFromInline
struct RoundObserver<Rule: RoundRule, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Rule.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Rule.InputFailure
    @usableFromInline var downstream: Downstream
    @usableFromInline let rounds: Rounds<Rule, Downstream>
    // Beside `rounds`, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let gate: SubscriptionGate
    @usableFromInline var hasStopped = false

    @inlinable
    init(_ downstream: consuming Downstream, _ rounds: Rounds<Rule, Downstream>, _ gate: SubscriptionGate) {
        self.downstream = downstream
        self.rounds = rounds
        self.gate = gate
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        guard gate.isOpen else { return .stop }
        let demand = downstream.next(value)
        if demand == .stop { hasStopped = true }
        return demand
    }

    @inlinable
    mutating func lost(_ count: Int) {
        if gate.isOpen { downstream.lost(count) }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        // A completion that confirms a stop is the end, whatever the rule would decide.
        if hasStopped || downstream.demand == .stop {
            if !gate.isDisposed { downstream.terminate(.completed) }
        } else {
            rounds.ended(termination, downstream)
        }
    }

    @inlinable
    var demand: Demand { gate.isOpen ? downstream.demand : .stop }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        gate.isOpen ? downstream.whenReady(resume) : .stop
    }
}
