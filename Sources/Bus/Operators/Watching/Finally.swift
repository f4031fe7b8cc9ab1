extension Signal {
    /// The same signal; `body` runs once when a subscription is over, in whatever way.
    ///
    /// ```
    /// self       --1--2--|
    /// finally    --1--2--|
    ///                    body
    /// ```
    ///
    /// It runs after the source was released and before the end is passed on. It also runs when the subscription is
    /// disposed of, and when the source is dropped without an end. (ReactiveCocoa's `finally` ran at an end only; for
    /// that, use ``on(subscribed:next:failed:completed:terminated:disposed:lost:)`` with `completed` and `failed`.)
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription, then runs `body`.
    /// - Buffers: nothing.
    /// - Thread: the source's; after a disposal, `body` runs on the disposing one.
    ///
    /// - Parameter body: called once per subscription.
    @inlinable
    @inline(__always)
    public consuming func finally(_ body: @escaping @Sendable () -> Void) -> some Signal<Value, Failure> {
        OnSignal(upstream: self, name: "finally", closures: OnClosures(terminated: body))
    }
}
