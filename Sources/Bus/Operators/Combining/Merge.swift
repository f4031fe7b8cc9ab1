public import Synchronization

extension Signals {
    /// The values of several signals as they come.
    ///
    /// ```
    /// a     --1-------2--|
    /// b     ----a--b-------c|
    /// merge --1-a--b--2----c|
    /// ```
    ///
    /// The signals are subscribed to in order.
    ///
    /// `a.merge(b)` takes a signal that cannot fail beside one that can. `Signals.merge(a, b, c)` takes signals whose failures
    /// are of any types, and then fails with `any Error`.
    ///
    /// - Ends: when all of them have ended; with no signals, at once.
    /// - Fails: with the first failure of any; the others are released before.
    /// - Cancelling: ends all their subscriptions.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: that of the signal that sends.
    @inlinable
    public static func merge<Elements: Sequence & Sendable>(
        _ signals: Elements
    ) -> some Signal<Elements.Element.Value, Elements.Element.Failure> where Elements.Element: Signal {
        MergeSignal(signals: signals)
    }

    /// The values of several signals as they come. See `merge(_:)` of a sequence.
    @inlinable
    public static func merge<Value: Sendable, Failure: Error>(
        _ signals: any Signal<Value, Failure>...
    ) -> some Signal<Value, Failure> {
        MergeSignal(signals: signals.map { Erasure.of($0) })
    }
}

extension Signal {
    /// This signal's values and another's as they come. Either may be one that cannot fail. See `Signals.merge(_:)`.
    @inlinable
    public consuming func merge<Other: Signal>(
        _ other: Other
    ) -> some Signal<Value, Failure> where Other.Value == Value, Other.Failure == Failure {
        MergeSignal(signals: SignalPair(self, other))
    }
}

@frozen
@usableFromInline
struct MergeSignal<Elements: Sequence & Sendable>: Signal where Elements.Element: Signal {
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
        let merge = MergeSubscription(SerialObserver(observer))
        for signal in signals {
            guard !merge.output.isClosing else { break }
            merge.inputStarts()
            merge.output.resources.add(signal.subscribe(MergeObserver(merge)))
        }
        merge.inputEnded()
        return merge.output.handle
    }

    @usableFromInline var chain: Chain { Chain(joining: signals.map(\.chain), by: "merge") }
}

/// One subscription to a `merge`: the state that all its inputs share.
@usableFromInline
final class MergeSubscription<Downstream: Observer & ~Copyable>: Sendable {
    @usableFromInline let output: SerialObserver<Downstream>
    /// Inputs that have not completed, and one more while inputs are still being subscribed to.
    @usableFromInline let unfinished = Atomic<Int>(1)

    @usableFromInline
    init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func inputStarts() {
        unfinished.wrappingAdd(1, ordering: .relaxed)
    }

    @usableFromInline
    func inputEnded() {
        let isLast = unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
        if isLast || output.isClosing { output.terminate(.completed) }
    }
}

@frozen
@usableFromInline
struct MergeObserver<Downstream: Observer & ~Copyable>: InputObserver, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let merge: MergeSubscription<Downstream>
    @usableFromInline let output: SerialObserver<Downstream>

    @inlinable
    init(_ merge: MergeSubscription<Downstream>) {
        self.merge = merge
        output = merge.output
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: merge.inputEnded()
        case .failed: output.terminate(termination)
        }
    }
}
