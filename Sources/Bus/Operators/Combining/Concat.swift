extension Signals {
    /// The values of several signals, one signal after the other.
    ///
    /// ```
    /// a      --1--2|
    /// b            --3--4|
    /// concat --1--2--3--4|
    /// ```
    ///
    /// A signal is subscribed to when the one before it has completed. A million synchronous signals need no more
    /// stack than one. The sequence is walked only as far as signals are wanted; an array's signals are released one
    /// by one.
    ///
    /// - Ends: with the last signal; with no signals, at once.
    /// - Fails: with the first failure; no further signal is subscribed to.
    /// - Cancelling: ends the subscription to the present signal; no further one is subscribed to.
    /// - Thread: that of the present signal; the next one is subscribed to where the one before it completed.
    @inlinable
    public static func concat<Elements: Sequence & Sendable>(
        _ signals: Elements
    ) -> some Signal<Elements.Element.Value, Elements.Element.Failure> where Elements.Element: Signal {
        ConcatSignal(signals: Draining(signals))
    }

    /// The values of several signals, one signal after the other. See `concat(_:)` of a sequence.
    @inlinable
    public static func concat<Value: Sendable, Failure: Error>(
        _ signals: any Signal<Value, Failure>...
    ) -> some Signal<Value, Failure> {
        ConcatSignal(signals: Draining(signals.map { Erasure.of($0) }))
    }
}

extension Signal {
    /// This signal's values, and after its completion another's. Either may be one that cannot fail. See
    /// `Signals.concat(_:)`.
    @inlinable
    public consuming func concat<Other: Signal>(
        _ other: Other
    ) -> some Signal<Value, Failure> where Other.Value == Value, Other.Failure == Failure {
        ConcatSignal(signals: SignalPair(self, other))
    }
}

@frozen
@usableFromInline
struct ConcatSignal<Elements: Sequence & Sendable>: Signal where Elements.Element: Signal {
    @usableFromInline typealias Value = Elements.Element.Value
    @usableFromInline typealias Failure = Elements.Element.Failure
    @usableFromInline let signals: Elements

    @inlinable
    init(signals: Elements) {
        self.signals = signals
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        Resubscription(ConcatPlan<Elements>(signals.makeIterator())).start(observer)
    }

    // A sequence of signals may be endless, and walking it may cost; a pair of them does neither.
    @usableFromInline var chain: Chain {
        (signals as? any ChainedSequence).map { $0.chain(by: "concat") } ?? Chain(source: "concat")
    }
}

/// Walks a sequence of signals.
@frozen
@usableFromInline
struct ConcatPlan<Elements: Sequence>: SubscriptionPlan where Elements.Element: Signal {
    @usableFromInline typealias Source = Elements.Element
    @usableFromInline typealias Failure = Elements.Element.Failure
    @usableFromInline var iterator: Elements.Iterator

    @inlinable
    init(_ iterator: Elements.Iterator) {
        self.iterator = iterator
    }

    @inlinable
    mutating func next() -> Source? { iterator.next() }

    @inlinable
    mutating func ended(_ termination: Termination<Failure>) -> Termination<Failure>? {
        switch termination {
        case .completed: nil
        case .failed: termination
        }
    }
}

/// The elements of a sequence, one by one; an array's elements are released as they are handed out.
///
/// An array's own iterator keeps the whole array. A `concat` that walked one would keep the very source that feeds it,
/// and the two would never be freed.
@frozen
@usableFromInline
struct Draining<Elements: Sequence & Sendable>: Sequence, Sendable {
    @usableFromInline typealias Element = Elements.Element
    @usableFromInline let elements: Elements

    @inlinable
    init(_ elements: Elements) {
        self.elements = elements
    }

    @frozen
    @usableFromInline
    enum Iterator: IteratorProtocol {
        case walking(Elements.Iterator)
        case draining([Elements.Element])

        @inlinable
        mutating func next() -> Elements.Element? {
            switch self {
            case .walking(var iterator):
                defer { self = .walking(iterator) }
                return iterator.next()
            case .draining(var remaining):
                self = .draining([])
                defer { self = .draining(remaining) }
                return remaining.popLast()
            }
        }
    }

    @inlinable
    func makeIterator() -> Iterator {
        if let array = elements as? [Elements.Element] { return .draining(array.reversed()) }
        return .walking(elements.makeIterator())
    }
}

/// A small, finished collection of signals, so that a chain can name them.
protocol ChainedSequence {
    func chain(by name: String) -> Chain
}

extension SignalPair: ChainedSequence {
    func chain(by name: String) -> Chain { Chain(joining: [first.chain, second.chain], by: name) }
}

extension Draining: ChainedSequence where Elements.Element: Signal {
    func chain(by name: String) -> Chain {
        guard let array = elements as? [Elements.Element] else { return Chain(source: name) }
        return Chain(joining: array.map(\.chain), by: name)
    }
}
