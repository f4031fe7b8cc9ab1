extension Signals {
    /// The latest values of several signals together, whenever one of them sends.
    ///
    /// ```
    /// a             --1-----2--------|
    /// b             ----a------b--|
    /// combineLatest ----1a--2a-2b----|
    /// ```
    ///
    /// Nothing is sent until each signal has sent a value. The signals are subscribed to in order. Values that a
    /// synchronous signal sends before the next is subscribed to are not combined, except its last one. Where one
    /// event reaches several inputs, a combination is sent for each of them; to combine a new value with an old one
    /// once, use `withLatest(from:)`.
    ///
    /// Signals whose failures are of different types, `Never` among them, are combined into one that fails with `any Error`.
    ///
    /// - Ends: when all of them have ended; at once when a signal ends that never sent a value, because nothing can
    ///   come any more.
    /// - Fails: with the first failure of any; the others are released before.
    /// - Cancelling: ends all their subscriptions.
    /// - Buffers: the latest value of each; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: that of the signal that sends.
    ///
    /// Signals of different types are erased here, which costs some nanoseconds an event. `combineLatest(_:)` on a
    /// signal combines two signals without erasing them, and a list of one type is not erased either.
    @inlinable
    @inline(__always)
    public static func combineLatest<each Value: Sendable, Failure: Error>(
        _ signals: repeat any Signal<each Value, Failure>
    ) -> AnySignal<(repeat each Value), Failure> {
        // Not opaque: the compiler cannot look through an opaque type to a pack, and `$0.1` behind it fails to type-check.
        CombineLatestPackSignal<repeat each Value, Failure>(repeat Erasure.of(each signals)).erased
    }

    /// The latest values of a list of signals, whenever one of them sends. See `combineLatest(_:)` of several.
    ///
    /// An event costs the same however many signals there are, as long as nobody keeps the array that was sent. An
    /// empty list completes at once.
    @inlinable
    public static func combineLatest<Elements: Collection & Sendable>(
        _ signals: Elements
    ) -> some Signal<[Elements.Element.Value], Elements.Element.Failure> where Elements.Element: Signal {
        CombineLatestListSignal(signals: signals)
    }
}

extension Signal {
    /// This signal's and another's latest values, whenever one of them sends. Either may be one that cannot fail. See
    /// `Signals.combineLatest(_:)`.
    @inlinable
    @inline(__always)
    public consuming func combineLatest<Other: Signal>(
        _ other: Other
    ) -> some Signal<(Value, Other.Value), Failure> where Other.Failure == Failure {
        CombineLatestPairSignal(first: self, second: other)
    }
}
