/// The logic of an operator with one source, independent of the source and the observer of its events.
///
/// A transducer is a value: the state that an operator has before its first event. Every subscription works on a copy of its
/// own, in one order, so it needs no lock. `Signal.transduced(by:)` makes an operator of it. Most operators here are made in
/// this way, and so can one of your own:
///
/// ```swift
/// import Bus
///
/// struct EveryOther: Transducer {
///     typealias Input = Int
///     typealias InputFailure = Never
///     var isOdd = true
///
///     mutating func next<Downstream: Observer & ~Copyable>(
///         _ value: Int, to downstream: inout Downstream
///     ) -> Demand where Downstream.Value == Int, Downstream.Failure == Never {
///         isOdd.toggle()
///         return isOdd ? downstream.demand : downstream.next(value)
///     }
/// }
///
/// let subscription = Signals.from(1...9).transduced(by: EveryOther()).subscribe(next: { print($0) })
/// ```
public protocol Transducer<Input, Output, InputFailure, Failure>: Sendable {
    /// The type of the source's values.
    associatedtype Input: Sendable
    /// The type of the operator's values. By default the same as the source's.
    associatedtype Output: Sendable = Input
    /// The type of the source's failure; `Never` if the source cannot fail.
    associatedtype InputFailure: Error
    /// The type of the operator's failure. By default the same as the source's.
    associatedtype Failure: Error = InputFailure

    /// Takes a value and sends the results; returns whether another value is wanted.
    ///
    /// When there is no result, the answer is the downstream's ``Observer/demand``. When the downstream answers
    /// ``Demand/stop``, nothing more is sent to it and the answer is the same.
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure

    /// Takes the news that so many values are missing here, and passes it on.
    mutating func lost<Downstream: Observer & ~Copyable>(
        _ count: Int,
        to downstream: inout Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure

    /// Takes the end and passes it on. Before that it may send values that were kept, as long as the downstream's
    /// ``Observer/demand`` asks for more.
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure

    /// Whether a further value would make a difference. When the initial state wants none, the source is not
    /// subscribed to. A transducer that has answered ``Demand/stop`` says so here from then on.
    var demand: Demand { get }

    /// The operator's name in a ``Chain``. It may show arguments, as `take(first: 3)` does.
    var name: String { get }

    /// The operator's name where only the type is known.
    static var name: String { get }
}

extension Transducer {
    @inlinable
    public var demand: Demand { .more }

    public var name: String { Self.name }

    public static var name: String { Chain.name(of: Self.self) }

    @inlinable
    public mutating func lost<Downstream: Observer & ~Copyable>(
        _ count: Int,
        to downstream: inout Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.lost(count)
    }
}

extension Transducer where InputFailure == Failure {
    @inlinable
    public consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.terminate(termination)
    }
}

/// A transducer that passes on each value, unless it says otherwise.
@usableFromInline
protocol PassingTransducer: Transducer where Output == Input, Failure == InputFailure {}

extension PassingTransducer {
    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.next(value)
    }
}

extension Signal {
    /// This signal, its events passed through a transducer. Each subscription works on a copy of its own.
    ///
    /// Sends on the source's thread. The transducer decides what it holds and when it ends; when the source is dropped, or
    /// the subscription disposed of, its state is freed.
    @inlinable
    @inline(__always)
    public consuming func transduced<Step: Transducer>(by transducer: Step) -> some Signal<Step.Output, Step.Failure>
    where Step.Input == Value, Step.InputFailure == Failure {
        TransducedSignal(upstream: self, transducer: transducer)
    }
}

@frozen
@usableFromInline
struct TransducedSignal<Upstream: Signal, Step: Transducer>: Signal
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
        return upstream.subscribe(TransducingObserver(downstream: observer, transducer: transducer))
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending(Step.name) }
    @usableFromInline var chain: Chain { upstream.chain.appending(transducer.name) }
}

@frozen
@usableFromInline
struct TransducingObserver<Step: Transducer, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Step.Output == Downstream.Value, Step.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Step.Input
    @usableFromInline typealias Failure = Step.InputFailure
    @usableFromInline var downstream: Downstream
    @usableFromInline var transducer: Step

    @inlinable
    init(downstream: consuming Downstream, transducer: Step) {
        self.downstream = downstream
        self.transducer = transducer
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { transducer.next(value, to: &downstream) }

    @inlinable
    mutating func lost(_ count: Int) { transducer.lost(count, to: &downstream) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        transducer.terminate(termination, to: downstream)
    }

    @inlinable
    var demand: Demand { transducer.demand == .stop ? .stop : downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        transducer.demand == .stop ? .stop : downstream.whenReady(resume)
    }
}
