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
        guard transducer.demand == .more else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let revocation = Revocation()
        let revocable = RevocableObserver(downstream: observer, revocation: revocation)
        let handle = upstream.subscribe(TransducingObserver(downstream: revocable, transducer: transducer))
        return RevokingDisposable(wrapped: handle, revocation: revocation)
    }

    @usableFromInline var chain: Chain { upstream.chain.appending(transducer.name) }
}

/// Whether a subscription was disposed of; shared by handle and observer, so that neither holds the other.
@usableFromInline
final class Revocation: Sendable {
    @usableFromInline let isRevoked = Atomic<Bool>(false)

    @usableFromInline
    init() {}
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
        revocation.isRevoked.store(true, ordering: .releasing)
        wrapped.dispose()
    }

    @usableFromInline
    var isDisposed: Bool { wrapped.isDisposed }
}
