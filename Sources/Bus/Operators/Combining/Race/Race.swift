extension Signals {
    /// The first of several signals to send an event.
    ///
    /// ```
    /// a    -----1--2---3--|
    /// b    --4-----5--|
    /// race --4-----5--|
    /// ```
    ///
    /// A value wins, and so does an end: a signal that fails or completes before the others have sent is the result.
    /// The signals are subscribed to in order. A synchronous one therefore wins over all that follow, and these are
    /// not subscribed to.
    ///
    /// - Ends: with the winner; with no signals, at once.
    /// - Fails: with the winner.
    /// - Cancelling: ends the subscription to the winner, or to all while there is none.
    /// - Buffers: nothing.
    /// - Thread: the winner's. The others are released there before its first event is heard.
    @inlinable
    public static func race<Elements: Sequence & Sendable>(
        _ signals: Elements
    ) -> some Signal<Elements.Element.Value, Elements.Element.Failure> where Elements.Element: Signal {
        RaceSignal(signals: signals)
    }

    /// The first of several signals to send an event. See `race(_:)` of a sequence.
    @inlinable
    public static func race<Value: Sendable, Failure: Error>(
        _ signals: any Signal<Value, Failure>...
    ) -> some Signal<Value, Failure> {
        RaceSignal(signals: signals.map { Erasure.of($0) })
    }
}

extension Signal {
    /// This signal or another, whichever sends an event first. Either may be one that cannot fail. See
    /// `Signals.race(_:)`.
    @inlinable
    public consuming func race<Other: Signal>(
        _ other: Other
    ) -> some Signal<Value, Failure> where Other.Value == Value, Other.Failure == Failure {
        RaceSignal(signals: SignalPair(self, other))
    }
}

@frozen
@usableFromInline
struct RaceSignal<Elements: Sequence & Sendable>: Signal where Elements.Element: Signal {
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
        // The first value decides which of them wins, and there must be room for it.
        if observer.demand == .pause {
            return ConcatSignal(signals: CollectionOfOne(self)).subscribe(AnyObserver(observer))
        }
        let handles = RaceHandles()
        let prize = RacePrize(observer)
        var contender = 0
        for signal in signals {
            if handles.isDecided { break }
            contender += 1
            handles.add(signal.subscribe(RaceInput(contender, prize, handles)), for: contender)
        }
        if contender == 0 { prize.downstream.take()?.terminate(.completed) }
        return handles
    }

    @usableFromInline var chain: Chain { Chain(joining: signals.map(\.chain), by: "race") }
}
