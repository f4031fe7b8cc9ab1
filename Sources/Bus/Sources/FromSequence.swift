extension Signals {
    /// The elements of a sequence and completion. Cold: every subscription walks the sequence.
    ///
    /// ```
    /// from(1...3) 123|
    /// ```
    ///
    /// The sequence is walked only as far as the observer wants. When the observer pauses, `subscribe` returns, and the walk
    /// goes on later.
    ///
    /// - Ends: after the last element, during subscribe if the observer never pauses.
    /// - Fails: never.
    /// - Cancelling: by the observer, which answers that it wants no more (as `take(first:)` does), or, once it has paused,
    ///   by the handle. `from(_:on:)` can be cancelled at any time.
    /// - Buffers: nothing.
    /// - Thread: the subscriber's; after a pause, the one that makes room.
    ///
    /// - Parameter elements: the sequence.
    @inlinable
    @inline(__always)
    public static func from<Elements: Sequence & Sendable>(
        _ elements: Elements
    ) -> some Signal<Elements.Element, Never> where Elements.Element: Sendable {
        SequenceSignal(elements: elements)
    }
}

@frozen
@usableFromInline
struct SequenceSignal<Elements: Sequence & Sendable>: Signal where Elements.Element: Sendable {
    @usableFromInline typealias Value = Elements.Element
    @usableFromInline typealias Failure = Never
    @usableFromInline let elements: Elements

    @inlinable
    init(elements: Elements) {
        self.elements = elements
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        var demand = observer.demand
        var iterator = elements.makeIterator()
        while demand == .more, let element = iterator.next() {
            demand = observer.next(element)
        }
        if demand == .pause { return walkOn(Elements.self, from: iterator, observer) }
        observer.terminate(.completed)
        return FinishedDisposable()
    }

    @usableFromInline var chain: Chain { Chain(source: "sequence") }
}
