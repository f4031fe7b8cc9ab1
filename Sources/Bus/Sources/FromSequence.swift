extension Signals {
    /// The elements of a sequence and completion, during subscribe, on the subscribing thread. Cold.
    ///
    /// ```
    /// 123|
    /// ```
    ///
    /// The sequence is walked once per subscription and only as far as the observer wants.
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
