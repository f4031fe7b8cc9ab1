public import Synchronization

/// Decides which signals a ``Resubscription`` subscribes to, one after the other.
///
/// Only one caller at a time asks. `next()` is called before each subscription, `ended(_:)` after each end, both on the
/// thread on which the signal before ended, the first `next()` on the one that subscribes.
@usableFromInline
protocol SubscriptionPlan<Source, Failure>: SendableMetatype {
    associatedtype Source: Signal
    associatedtype Failure: Error

    /// The signal to subscribe to; nil completes.
    mutating func next() -> Source?

    /// The end to pass on; nil asks for the next signal.
    mutating func ended(_ termination: Termination<Source.Failure>) -> Termination<Failure>?
}

/// A plan that subscribes to one signal again and again.
@usableFromInline
protocol RepeatedPlan: SubscriptionPlan, Sendable {
    var source: Source { get }

    /// The operator's name in a ``Chain``, and without its arguments.
    var name: String { get }
    static var name: String { get }
}

extension RepeatedPlan {
    @usableFromInline var name: String { Self.name }

    @inlinable
    mutating func next() -> Source? { source }
}

/// A signal that subscribes to its source again, as often as a plan asks for.
@frozen
@usableFromInline
struct ResubscribingSignal<Plan: RepeatedPlan>: Signal {
    @usableFromInline typealias Value = Plan.Source.Value
    @usableFromInline typealias Failure = Plan.Failure
    @usableFromInline let plan: Plan

    @inlinable
    init(_ plan: Plan) {
        self.plan = plan
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        Resubscription(plan).start(observer)
    }

    @usableFromInline static var chain: Chain { Plan.Source.chain.appending(Plan.name) }
    @usableFromInline var chain: Chain { plan.source.chain.appending(plan.name) }
}

/// Subscribes for one downstream to one signal after the other.
///
/// The downstream travels: while a signal runs it belongs to that signal's observer, so that it is freed when the source is,
/// and between two signals it waits here. Nothing else is kept from one to the next. Only one signal runs at a time, and its
/// end is heard before the next one is subscribed to; so an event needs neither a lock nor a place in a queue.
@usableFromInline
final class Resubscription<Plan: SubscriptionPlan, Downstream: Observer & ~Copyable>: @unchecked Sendable
where Plan.Source.Value == Downstream.Value, Plan.Failure == Downstream.Failure {
    @usableFromInline let gate = SubscriptionGate()
    @usableFromInline let starts = Trampoline()
    /// Set when `arrived` is written, and cleared by the turn of `starts` that takes it. A turn can be under way when a signal ends:
    /// a call for room may come late.
    @usableFromInline let hasArrived = Atomic<Bool>(false)
    /// The downstream of the one signal that has ended.
    @exclusivity(unchecked) @usableFromInline var arrived: Downstream?
    // Touched by the caller that takes a turn of `starts`, one at a time.
    @exclusivity(unchecked) @usableFromInline var idle: Downstream?
    /// Called by a disposal while there is no room; it holds this object.
    @exclusivity(unchecked) @usableFromInline var waiting: ActionDisposable?
    // Touched by a turn of `starts` with the downstream, and by the one signal that has ended before the downstream arrives.
    @exclusivity(unchecked) @usableFromInline var plan: Plan

    @inlinable
    init(_ plan: Plan) {
        self.plan = plan
    }

    @inlinable
    func start(_ downstream: consuming Downstream) -> any Disposable {
        arrive(downstream)
        return gate
    }

    @inlinable
    func arrive(_ downstream: consuming Downstream) {
        arrived = consume downstream
        hasArrived.store(true, ordering: .releasing)
        goOn()
    }

    /// Subscribes to the next signal, unless one runs.
    @inlinable
    func goOn() {
        // A signal that ends while it is being subscribed to asks from inside; the next one is subscribed to in the same loop.
        starts.run {
            if hasArrived.exchange(false, ordering: .acquiring) { idle = arrived.take() }
            if idle == nil { return }
            if gate.isDisposed {
                idle = nil
            } else if isReady(), let downstream = idle.take() {
                waiting.take()?.forgo()
                if let source = plan.next() {
                    gate.carry(source.subscribe(ResubscriptionObserver(downstream, self)))
                } else if gate.close() {
                    downstream.terminate(.completed)
                }
            }
        }
    }

    /// Whether the next signal may start; while the downstream pauses, it calls back, and so does a disposal.
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
    func ended(_ termination: Termination<Plan.Source.Failure>, _ downstream: consuming Downstream) {
        if gate.isDisposed { return }
        if let end = plan.ended(termination) {
            if gate.close() { downstream.terminate(end) }
        } else {
            arrive(downstream)
        }
    }
}

/// Hears one of the signals.
@frozen
@usableFromInline
struct ResubscriptionObserver<Plan: SubscriptionPlan, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Plan.Source.Value == Downstream.Value, Plan.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Plan.Source.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let subscription: Resubscription<Plan, Downstream>
    // Beside `subscription`, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let gate: SubscriptionGate
    @usableFromInline var hasStopped = false

    @inlinable
    init(_ downstream: consuming Downstream, _ subscription: Resubscription<Plan, Downstream>) {
        self.downstream = downstream
        self.subscription = subscription
        gate = subscription.gate
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
        // A completion that confirms a stop is the end, whatever the plan would decide.
        if hasStopped || downstream.demand == .stop {
            if gate.close() { downstream.terminate(.completed) }
        } else {
            subscription.ended(termination, downstream)
        }
    }

    @inlinable
    var demand: Demand { gate.isOpen ? downstream.demand : .stop }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        gate.isOpen ? downstream.whenReady(resume) : .stop
    }
}
