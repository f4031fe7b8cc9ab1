public import Synchronization

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

/// Hears the signal whose values are skipped until it opens.
@frozen
@usableFromInline
struct SkippingUntilObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let opening: Opening
    /// The trigger's subscription, which is released before the end is heard.
    @usableFromInline let waiting: SerialDisposable

    @inlinable
    init(_ downstream: consuming Downstream, _ opening: Opening, _ waiting: SerialDisposable) {
        self.downstream = downstream
        self.opening = opening
        self.waiting = waiting
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        opening.isOpen.load(ordering: .acquiring) ? downstream.next(value) : downstream.demand
    }

    @inlinable
    mutating func lost(_ count: Int) {
        if opening.isOpen.load(ordering: .acquiring) { downstream.lost(count) }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        waiting.dispose()
        downstream.terminate(termination)
    }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
