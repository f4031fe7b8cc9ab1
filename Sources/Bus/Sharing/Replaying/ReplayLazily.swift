extension Signal {
    /// This signal, subscribed to once, with the first subscriber; later subscribers hear the last values first.
    ///
    /// ```
    /// self                   1--2--3--4--|
    /// replayLazily(capacity: 1)
    ///   first                ^1--2--3--4--|
    ///   late                      ^2--3--4--|
    ///   after the end                          ^4|
    /// ```
    ///
    /// Once subscribed to, the source is kept going by the returned signal, its copies and its subscriptions, also while
    /// nobody listens; it is released when the last of them is gone. It is never subscribed to again. (As in
    /// ReactiveSwift and ReactiveCocoa; `share(replay:while:)` unsubscribes with its last subscriber.)
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
    public func replayLazily(capacity: Int) -> some Signal<Value, Failure> {
        ReplayedSignal(self, capacity: capacity, name: "replayLazily(capacity: \(capacity))")
    }
}
