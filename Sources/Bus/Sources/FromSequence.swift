extension Signals {
    /// The elements of a sequence and completion. Cold: every subscription walks the sequence.
    ///
    /// ```
    /// from(1...3) 123|
    /// ```
    ///
    /// It is walked only as far as the observer wants.
    ///
    /// - Ends: after the last element, during subscribe.
    /// - Fails: never.
    /// - Cancelling: by the observer, which answers that it wants no more (`take(first:)` does); the handle comes when
    ///   it is over. `from(_:on:)` can be cancelled meanwhile.
    /// - Buffers: nothing.
    /// - Thread: the subscriber's.
    ///
    /// - Parameter elements: what is sent.
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
        if observer.demand == .more {
            for element in elements {
                if observer.next(element) == .stop { break }
            }
        }
        observer.terminate(.completed)
        return FinishedDisposable()
    }

    @usableFromInline var chain: Chain { Chain(source: "sequence") }
}
