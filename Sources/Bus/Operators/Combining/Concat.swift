extension Signals {
    /// The values of several signals, one signal after the other.
    ///
    /// ```
    /// a      --1--2|
    /// b            --3--4|
    /// concat --1--2--3--4|
    /// ```
    ///
    /// A signal is subscribed to when the one before it has completed. A million synchronous signals need no more stack
    /// than one. The sequence's iterator is kept while the subscription lasts.
    ///
    /// - Ends: with the last signal.
    /// - Fails: with the first failure; no further signal is subscribed to.
    /// - Cancelling: ends the subscription to the present signal.
    /// - Buffers: nothing.
    /// - Thread: that of the present signal; the next one is subscribed to where the one before it completed.
    @inlinable
    public static func concat<Elements: Sequence & Sendable>(
        _ signals: Elements
    ) -> some Signal<Elements.Element.Value, Elements.Element.Failure> where Elements.Element: Signal {
        ConcatSignal(signals: signals)
    }

    /// The values of several signals, one signal after the other. See `concat(_:)` of a sequence.
    ///
    /// Each signal is let go of once it has been subscribed to.
    @inlinable
    public static func concat<Element: Signal>(
        _ signals: [Element]
    ) -> some Signal<Element.Value, Element.Failure> {
        ConcatSignal(signals: Draining(signals))
    }

    /// The values of several signals, one signal after the other. See `concat(_:)` of a sequence.
    @inlinable
    public static func concat<Value: Sendable, Failure: Error>(
        _ signals: any Signal<Value, Failure>...
    ) -> some Signal<Value, Failure> {
        ConcatSignal(signals: Draining(signals.map { AnySignal($0) }))
    }
}

extension Signal {
    /// This signal's values, and after its completion another's. See `Signals.concat(_:)`.
    @inlinable
    public func concat(_ other: some Signal<Value, Failure>) -> some Signal<Value, Failure> {
        ConcatSignal(signals: Draining([AnySignal(self), AnySignal(other)]))
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
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let concat = ConcatSubscription<Elements, Downstream>(SerialObserver(observer), signals)
        concat.startNext()
        return concat.output.handle
    }

    // A sequence of signals may be endless, and walking it may cost.
    @usableFromInline var chain: Chain { Chain(source: "concat") }
}

@usableFromInline
final class ConcatSubscription<Elements: Sequence & Sendable, Downstream: Observer & ~Copyable>: @unchecked Sendable
where
    Elements.Element: Signal,
    Elements.Element.Value == Downstream.Value,
    Elements.Element.Failure == Downstream.Failure
{
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let current = SerialDisposable()
    @usableFromInline let starts = Trampoline()
    // Only the one who makes the starts touches it.
    @exclusivity(unchecked) @usableFromInline var iterator: Elements.Iterator

    @inlinable
    init(_ output: SerialObserver<Downstream>, _ signals: Elements) {
        self.output = output
        iterator = signals.makeIterator()
        output.resources.add(current)
    }

    deinit {
        output.abandon()
    }

    @inlinable
    func startNext() {
        starts.run {
            if output.isClosing {
                output.terminate(.completed)
            } else if let signal = iterator.next() {
                current.swap(signal.subscribe(ConcatObserver(self)))
            } else {
                output.terminate(.completed)
            }
        }
    }
}

@frozen
@usableFromInline
struct ConcatObserver<Elements: Sequence & Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where
    Elements.Element: Signal,
    Elements.Element.Value == Downstream.Value,
    Elements.Element.Failure == Downstream.Failure
{
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let concat: ConcatSubscription<Elements, Downstream>
    // Beside `concat`, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let output: SerialObserver<Downstream>

    @inlinable
    init(_ concat: ConcatSubscription<Elements, Downstream>) {
        self.concat = concat
        output = concat.output
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: concat.startNext()
        case .failed: output.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { output.demand }
}
