/// Passes everything on until its gate closes.
@frozen
@usableFromInline
struct GatedObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let gate: SubscriptionGate

    @inlinable
    init(_ downstream: consuming Downstream, gate: SubscriptionGate) {
        self.downstream = downstream
        self.gate = gate
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        gate.isOpen ? downstream.next(value) : .stop
    }

    @inlinable
    mutating func lost(_ count: Int) {
        if gate.isOpen { downstream.lost(count) }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        if gate.close() { downstream.terminate(termination) }
    }

    @inlinable
    var demand: Demand { gate.isOpen ? downstream.demand : .stop }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        gate.isOpen ? downstream.whenReady(resume) : .stop
    }
}
