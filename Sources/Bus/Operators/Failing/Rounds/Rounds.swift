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
    // Both are touched by the caller whose round has ended and then by the caller that starts the next; `starts` puts
    // the two in order.
    @exclusivity(unchecked) @usableFromInline var idle: Downstream?
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
        idle = consume downstream
        goOn()
    }

    /// Starts a round, unless one runs.
    @inlinable
    func goOn() {
        // A round that ends while it is being subscribed to asks from inside; its successor starts in the same loop.
        starts.run {
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
