extension Signals {
    /// The first values of several signals together, then the second values, and so on.
    ///
    /// ```
    /// a   --1--2-----3--|
    /// b   ----a---b-----------c--
    /// zip ----1a--2b----------3c|
    /// ```
    ///
    /// An input that runs ahead of another is slowed: when `limit` of its values wait, it alone is told to pause,
    /// until half of them are used up. A source that cannot pause loses the values it sends then. A lost value, here
    /// or above, takes its partners with it, so that tuples hold values that belong together. The loss is reported in
    /// the place of the missing tuple.
    ///
    /// Signals whose failures are of different types, `Never` among them, are zipped into one that fails with `any Error`.
    ///
    /// - Ends: when one of them has completed and its values are used up; the others are released before. With no
    ///   signals, at once. (All libraries do this, except RxSwift, which waits until all have completed.)
    /// - Fails: with the first failure of any, also while values wait; the others are released before.
    /// - Cancelling: ends all their subscriptions.
    /// - Buffers: at most `limit` values of each.
    /// - Thread: that of the signal whose value was the last of its tuple.
    ///
    /// Signals of different types are erased here, which costs some nanoseconds an event. `zip(_:)` on a signal zips
    /// two signals without erasing them, and a list of one type is not erased either.
    ///
    /// - Parameters:
    ///   - signals: the signals to zip.
    ///   - limit: how many values of a signal may wait; at least one may.
    @inlinable
    public static func zip<each Value: Sendable, Failure: Error>(
        _ signals: repeat any Signal<each Value, Failure>,
        limit: Int = 1024
    ) -> AnySignal<(repeat each Value), Failure> {
        // Not opaque: the compiler cannot look through an opaque type to a pack, and `$0.1` behind it fails to type-check.
        ZipPackSignal<repeat each Value, Failure>(repeat Erasure.of(each signals), limit: limit).erased
    }

    /// The first values of a list of signals, then the second values, and so on. See `zip(_:limit:)` of several.
    @inlinable
    public static func zip<Elements: Collection & Sendable>(
        _ signals: Elements,
        limit: Int = 1024
    ) -> some Signal<[Elements.Element.Value], Elements.Element.Failure> where Elements.Element: Signal {
        ZipListSignal(signals: signals, limit: limit)
    }
}

extension Signal {
    /// This signal's and another's first values, then their second values, and so on. Either may be one that
    /// cannot fail. See `Signals.zip(_:limit:)`.
    @inlinable
    @inline(__always)
    public consuming func zip<Other: Signal>(
        _ other: Other,
        limit: Int = 1024
    ) -> some Signal<(Value, Other.Value), Failure> where Other.Failure == Failure {
        ZipPairSignal(first: self, second: other, limit: limit)
    }
}
