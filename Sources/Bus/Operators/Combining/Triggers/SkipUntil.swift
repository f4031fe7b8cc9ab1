public import Synchronization

extension Signal {
    /// The values from the moment at which another signal sends or completes.
    ///
    /// ```
    /// self        --1---2---3---4--|
    /// trigger     --------x
    /// skip(until) ----------3---4--|
    /// ```
    ///
    /// The trigger is subscribed to first, and released when it has fired. (Its completion counts as in ReactiveSwift,
    /// and as for ``take(until:)``; RxSwift needs a value.)
    ///
    /// - Ends: with this signal, also while still skipping.
    /// - Fails: with this signal, also while still skipping; the trigger cannot fail.
    /// - Cancelling: ends both subscriptions.
    /// - Thread: this signal's.
    @inlinable
    @inline(__always)
    public consuming func skip<Trigger: Signal>(
        until trigger: Trigger
    ) -> some Signal<Value, Failure> where Trigger.Failure == Never {
        SkipUntilSignal(upstream: self, trigger: trigger)
    }
}

@frozen
@usableFromInline
struct SkipUntilSignal<Upstream: Signal, Trigger: Signal>: Signal where Trigger.Failure == Never {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let trigger: Trigger

    @inlinable
    init(upstream: Upstream, trigger: Trigger) {
        self.upstream = upstream
        self.trigger = trigger
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let opening = Opening()
        let waiting = SerialDisposable()
        waiting.set(trigger.subscribe(OpeningObserver<Trigger.Value>(opening)))
        let transducer = SkippingUntil<Value, Failure>(opening, waiting)
        return DisposablePair(
            upstream.subscribe(TransducingObserver(downstream: observer, transducer: transducer)),
            waiting
        )
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("skip(until:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("skip(until: \(trigger.chain))") }
}

/// A gate that a trigger opens, once and for all. It is one word: the values do not wait for it and need no place in
/// a queue.
@usableFromInline
final class Opening: Sendable {
    @usableFromInline let isOpen = Atomic<Bool>(false)

    @usableFromInline
    init() {}
}

/// Opens at the first event of its signal.
@frozen
@usableFromInline
struct OpeningObserver<Value: Sendable>: Observer, ~Copyable {
    @usableFromInline typealias Failure = Never
    @usableFromInline let opening: Opening

    @inlinable
    init(_ opening: Opening) {
        self.opening = opening
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        opening.isOpen.store(true, ordering: .releasing)
        return .stop
    }

    @inlinable
    mutating func lost(_ count: Int) {}

    @inlinable
    consuming func terminate(_ termination: Termination<Never>) { opening.isOpen.store(true, ordering: .releasing) }

    @inlinable
    var demand: Demand { opening.isOpen.load(ordering: .relaxed) ? .stop : .more }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}

/// Skips values until a gate opens.
@frozen
@usableFromInline
struct SkippingUntil<Input: Sendable, InputFailure: Error>: PassingTransducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let opening: Opening
    /// The trigger's subscription, which is released before the end is heard.
    @usableFromInline let waiting: SerialDisposable

    @inlinable
    init(_ opening: Opening, _ waiting: SerialDisposable) {
        self.opening = opening
        self.waiting = waiting
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Input, Downstream.Failure == InputFailure {
        opening.isOpen.load(ordering: .acquiring) ? downstream.next(value) : downstream.demand
    }

    @inlinable
    mutating func lost<Downstream: Observer & ~Copyable>(
        _ count: Int,
        to downstream: inout Downstream
    ) where Downstream.Value == Input, Downstream.Failure == InputFailure {
        if opening.isOpen.load(ordering: .acquiring) { downstream.lost(count) }
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Input, Downstream.Failure == InputFailure {
        waiting.dispose()
        downstream.terminate(termination)
    }
}
