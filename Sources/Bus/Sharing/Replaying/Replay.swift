extension Signal {
    /// This signal, subscribed to at once and only once; every subscriber, however late, hears the last values first.
    ///
    /// ```
    /// self               1--2--3--4--|
    /// replay(capacity: 2)
    ///   late                   ^23--4--|
    ///   after the end                      ^34|
    /// ```
    ///
    /// The source is kept going by the returned signal, its copies and its subscriptions, and released when the last
    /// of them is gone. (As in ReactiveSwift; ReactiveCocoa went on for good, and kept all values.)
    ///
    /// - Ends: with the source; later subscribers hear the kept values, and the end.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription.
    /// - Buffers: the last `capacity` values; while one event is being delivered, at most 65,536 others. Beyond that
    ///   the newest is lost and counted.
    /// - Thread: the source's. Replayed values come during `subscribe`, or on the thread that is delivering.
    ///
    /// - Parameter capacity: how many values are kept.
    @inlinable
    public func replay(capacity: Int) -> some Signal<Value, Failure> {
        let replayed = ReplayedSignal(self, capacity: capacity, name: "replay(capacity: \(capacity))")
        replayed.keeper.connect()
        return replayed
    }

    /// This signal, subscribed to at once; every subscriber, however late, hears the last value first.
    ///
    /// ```
    /// self            1--2--3--4--|
    /// late                ^2-3--4--|
    /// after the end                   ^4|
    /// ```
    ///
    /// Shorthand for `replay(capacity: 1)`.
    ///
    /// - Ends: with the source; later subscribers hear the last value, and the end.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription.
    /// - Buffers: one value; while one event is being delivered, at most 65,536 others.
    /// - Thread: the source's. Replayed values come during `subscribe`, or on the thread that is delivering.
    @inlinable
    public func replayLast() -> some Signal<Value, Failure> {
        replay(capacity: 1)
    }
}
