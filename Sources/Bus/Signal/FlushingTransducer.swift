/// A transducer that may send values when it hears the end, as `reduce` does with its result.
///
/// By then the source has released the observer, so the source's handle cannot silence it any more. An operator made
/// of a flushing transducer therefore remembers its own disposal: once it is disposed of, values that the transducer
/// still sends, and the end, are dropped, and ``Observer/demand`` answers ``Demand/stop``.
public protocol FlushingTransducer<Input, Output, InputFailure, Failure>: Transducer {}

extension Signal {
    /// This signal, its events passed through a transducer that may send values at the end. Each subscription works on
    /// a copy of its own.
    ///
    /// Sends on the source's thread. The transducer decides what it holds and when it ends; when the source is
    /// dropped, or the subscription disposed of, its state is freed.
    @inlinable
    @inline(__always)
    public consuming func transduced<Step: FlushingTransducer>(by transducer: Step) -> some Signal<
        Step.Output, Step.Failure
    >
    where Step.Input == Value, Step.InputFailure == Failure {
        FlushingSignal(upstream: self, transducer: transducer)
    }
}

@frozen
@usableFromInline
struct FlushingSignal<Upstream: Signal, Step: FlushingTransducer>: Signal
where Step.Input == Upstream.Value, Step.InputFailure == Upstream.Failure {
    @usableFromInline typealias Value = Step.Output
    @usableFromInline typealias Failure = Step.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let transducer: Step

    @inlinable
    init(upstream: Upstream, transducer: Step) {
        self.upstream = upstream
        self.transducer = transducer
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard transducer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let gate = SubscriptionGate()
        let gated = GatedObserver(observer, gate: gate)
        let handle = upstream.subscribe(FlushingObserver(downstream: gated, transducer: transducer))
        return GatedDisposable(wrapped: handle, gate: gate)
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending(Step.name) }
    @usableFromInline var chain: Chain { upstream.chain.appending(transducer.name) }
}

/// Passes events through a transducer, and the values that it sends at the end to an observer that may pause
/// meanwhile.
@frozen
@usableFromInline
struct FlushingObserver<Step: Transducer, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Step.Output == Downstream.Value, Step.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Step.Input
    @usableFromInline typealias Failure = Step.InputFailure
    @usableFromInline var downstream: GatedObserver<Downstream>
    @usableFromInline var transducer: Step

    @inlinable
    init(downstream: consuming GatedObserver<Downstream>, transducer: Step) {
        self.downstream = downstream
        self.transducer = transducer
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { transducer.next(value, to: &downstream) }

    @inlinable
    mutating func lost(_ count: Int) { transducer.lost(count, to: &downstream) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        // Copied before the downstream is handed on: the optimiser of Swift 6.3.1 fails on the other order.
        let gate = downstream.gate
        transducer.terminate(termination, to: FlushedObserver(downstream, gate))
    }

    @inlinable
    var demand: Demand { transducer.demand == .stop ? .stop : downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        transducer.demand == .stop ? .stop : downstream.whenReady(resume)
    }
}

/// Takes the values that a transducer sends at the end, and keeps them while the downstream pauses.
@frozen
@usableFromInline
struct FlushedObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: GatedObserver<Downstream>
    @usableFromInline let gate: SubscriptionGate
    @usableFromInline var kept: [Value] = []

    @inlinable
    init(_ downstream: consuming GatedObserver<Downstream>, _ gate: SubscriptionGate) {
        self.downstream = downstream
        self.gate = gate
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        switch downstream.demand {
        case .stop: return .stop
        case .more where kept.isEmpty: return downstream.next(value) == .stop ? .stop : .more
        case .more, .pause:
            kept.append(value)
            return .more
        }
    }

    // Losses at the end are reported at once, even where values are kept: the operators above have reported all their
    // losses by then.
    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        if kept.isEmpty {
            downstream.terminate(termination)
        } else {
            let (kept, gate) = (kept, gate)
            gate.carry(walkOn([Value].self, from: kept.makeIterator(), downstream, end: termination))
        }
    }

    @inlinable
    var demand: Demand { downstream.demand == .stop ? .stop : .more }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}

/// Closes the gate, and then ends the subscription above.
@usableFromInline
struct GatedDisposable: Disposable {
    private let wrapped: any Disposable
    private let gate: SubscriptionGate

    @usableFromInline
    init(wrapped: any Disposable, gate: SubscriptionGate) {
        self.wrapped = wrapped
        self.gate = gate
    }

    @usableFromInline
    func dispose() {
        gate.dispose()
        wrapped.dispose()
    }

    @usableFromInline
    var isDisposed: Bool { wrapped.isDisposed && gate.isIdle }
}
