extension Signal {
    /// Some values before this signal's own.
    ///
    /// ```
    /// self       --1--2--|
    /// prepend(0) 0-1--2--|
    /// ```
    ///
    /// They are sent during subscribe, before this signal is subscribed to. To prepend a signal, ``concat(_:)`` this one
    /// to it. (ReactiveCocoa's and RxSwift's `startWith`.)
    ///
    /// - Ends: with this signal.
    /// - Fails: with this signal.
    /// - Cancelling: ends the subscription to this signal.
    /// - Thread: the subscribing one, then the signal's.
    @inlinable
    @inline(__always)
    public consuming func prepend(_ values: Value...) -> some Signal<Value, Failure> {
        ConcatSignal(signals: SignalPair(ValuesSignal<Value, Failure>(values: values), self))
    }

    /// Some values after this signal's own.
    ///
    /// ```
    /// self      --1--2--|
    /// append(3) --1--2--3|
    /// ```
    ///
    /// They are sent when this signal completes. To append a signal, ``concat(_:)`` it.
    ///
    /// - Ends: after the last of the values.
    /// - Fails: with this signal; the values are then not sent.
    /// - Cancelling: ends the subscription to this signal; the values are then not sent.
    /// - Thread: this signal's.
    @inlinable
    @inline(__always)
    public consuming func append(_ values: Value...) -> some Signal<Value, Failure> {
        ConcatSignal(signals: SignalPair(self, ValuesSignal<Value, Failure>(values: values)))
    }
}

/// Values at hand, and completion.
@frozen
@usableFromInline
struct ValuesSignal<Value: Sendable, Failure: Error>: Signal {
    @usableFromInline let values: [Value]

    @inlinable
    init(values: [Value]) {
        self.values = values
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        var demand = observer.demand
        var iterator = values.makeIterator()
        while demand == .more, let value = iterator.next() {
            demand = observer.next(value)
        }
        if demand == .pause { return walkOn([Value].self, from: iterator, observer) }
        observer.terminate(.completed)
        return FinishedDisposable()
    }

    @usableFromInline var chain: Chain { Chain(source: values.count == 1 ? "value" : "\(values.count) values") }
}
