public import Synchronization

/// The handle of a subscription that is made in several rounds, one source after another.
///
/// It holds the present round's handle and nothing that hears the values.
@usableFromInline
final class RoundGate: Disposable {
    @usableFromInline let isClosed = Atomic<Bool>(false)
    @usableFromInline let current = SerialDisposable()

    @usableFromInline
    init() {}

    /// Lets nothing through any more; answers whether this is the first to say so.
    @usableFromInline
    func close() -> Bool { !isClosed.exchange(true, ordering: .acquiringAndReleasing) }

    @usableFromInline
    func dispose() {
        _ = close()
        current.dispose()
    }

    @usableFromInline
    var isDisposed: Bool { isClosed.load(ordering: .acquiring) }

    /// Whether events may pass; asked for each of them.
    @inlinable
    var isOpen: Bool { !isClosed.load(ordering: .relaxed) }
}

/// Passes everything on until its gate closes.
///
/// A source that delivers while being subscribed to has no handle yet that could stop it; the gate does.
@frozen
@usableFromInline
struct GatedObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let gate: RoundGate

    @inlinable
    init(_ downstream: consuming Downstream, gate: RoundGate) {
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
        if !gate.isDisposed { downstream.terminate(termination) }
    }

    @inlinable
    var demand: Demand { gate.isOpen ? downstream.demand : .stop }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        gate.isOpen ? downstream.whenReady(resume) : .stop
    }
}
