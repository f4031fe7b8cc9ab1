public import Synchronization

/// A transducer that may send values when it hears the end, as `reduce` does with its result.
///
/// By then the source has let go of the observer, so the source's handle cannot silence it any more. An operator made
/// of a flushing transducer therefore remembers its own disposal: once disposed of, what the transducer still sends,
/// the end included, is dropped, and ``Observer/demand`` answers ``Demand/stop``.
public protocol FlushingTransducer<Input, Output, InputFailure, Failure>: Transducer {}

extension Signal {
    /// This signal, its events passed through a transducer that may send values at the end. Each subscription works on
    /// a copy of its own.
    ///
    /// Speaks on the source's thread. What it holds and when it ends is the transducer's affair; when the source is
    /// dropped, or the subscription disposed of, what it holds is freed.
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
        let revocation = Revocation()
        let revocable = RevocableObserver(downstream: observer, revocation: revocation)
        let handle = upstream.subscribe(FlushingObserver(downstream: revocable, transducer: transducer))
        return RevokingDisposable(wrapped: handle, revocation: revocation)
    }

    @usableFromInline var chain: Chain { upstream.chain.appending(transducer.name) }
}

/// Passes events through a transducer, and what that sends at the end to an observer that may pause meanwhile.
@frozen
@usableFromInline
struct FlushingObserver<Step: Transducer, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Step.Output == Downstream.Value, Step.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Step.Input
    @usableFromInline typealias Failure = Step.InputFailure
    @usableFromInline var downstream: RevocableObserver<Downstream>
    @usableFromInline var transducer: Step

    @inlinable
    init(downstream: consuming RevocableObserver<Downstream>, transducer: Step) {
        self.downstream = downstream
        self.transducer = transducer
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { transducer.next(value, to: &downstream) }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        // Copied before the downstream is handed on: the optimiser of Swift 6.3.1 fails on the other order.
        let revocation = downstream.revocation
        transducer.terminate(termination, to: FlushedObserver(downstream, revocation))
    }

    @inlinable
    var demand: Demand { transducer.demand == .stop ? .stop : downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        transducer.demand == .stop ? .stop : downstream.whenReady(resume)
    }
}

/// Takes what a transducer sends at the end, and keeps it while the downstream pauses.
@frozen
@usableFromInline
struct FlushedObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: RevocableObserver<Downstream>
    @usableFromInline let revocation: Revocation
    @usableFromInline var kept: [Value] = []

    @inlinable
    init(_ downstream: consuming RevocableObserver<Downstream>, _ revocation: Revocation) {
        self.downstream = downstream
        self.revocation = revocation
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

    // What is lost at the end is told at once, even where values are kept: what is above has told all it lost by then.
    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        if kept.isEmpty {
            downstream.terminate(termination)
        } else {
            let (kept, revocation) = (kept, revocation)
            revocation.hold(walkOn([Value].self, from: kept.makeIterator(), downstream, end: termination))
        }
    }

    @inlinable
    var demand: Demand { downstream.demand == .stop ? .stop : .more }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}

/// Whether a subscription was disposed of; shared by handle and observer, so that neither holds the other.
@usableFromInline
final class Revocation: Sendable {
    @usableFromInline let isRevoked = Atomic<Bool>(false)
    /// What is still being sent although the source has ended.
    private let rest = Lock<(any Disposable)?>(nil)

    @usableFromInline
    init() {}

    @usableFromInline
    func hold(_ handle: any Disposable) {
        rest.withLock { $0 = handle }
        // Disposed of before the handle was in place, it was not there to be ended.
        if isRevoked.load(ordering: .sequentiallyConsistent) { handle.dispose() }
    }

    func revoke() {
        isRevoked.store(true, ordering: .sequentiallyConsistent)
        rest.withLock { $0.take() }?.dispose()
    }

    var isOver: Bool { rest.withLock { $0 }?.isDisposed ?? true }
}

/// Hears nothing after its revocation.
@frozen
@usableFromInline
struct RevocableObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let revocation: Revocation

    @inlinable
    init(downstream: consuming Downstream, revocation: Revocation) {
        self.downstream = downstream
        self.revocation = revocation
    }

    @inlinable
    var isRevoked: Bool { revocation.isRevoked.load(ordering: .acquiring) }

    @inlinable
    mutating func next(_ value: Value) -> Demand { isRevoked ? .stop : downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) {
        if !isRevoked { downstream.lost(count) }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        if !isRevoked { downstream.terminate(termination) }
    }

    @inlinable
    var demand: Demand { isRevoked ? .stop : downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        isRevoked ? .stop : downstream.whenReady(resume)
    }
}

/// Revokes, and then ends the subscription above.
@usableFromInline
struct RevokingDisposable: Disposable {
    private let wrapped: any Disposable
    private let revocation: Revocation

    @usableFromInline
    init(wrapped: any Disposable, revocation: Revocation) {
        self.wrapped = wrapped
        self.revocation = revocation
    }

    @usableFromInline
    func dispose() {
        revocation.revoke()
        wrapped.dispose()
    }

    @usableFromInline
    var isDisposed: Bool { wrapped.isDisposed && revocation.isOver }
}
