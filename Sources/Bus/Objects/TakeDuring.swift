extension Signal {
    /// The values until a lifetime is over, then completion.
    ///
    /// ```
    /// self         --1---2---3---4--|
    /// lifetime     -----------x
    /// take(during) --1---2----|
    /// ```
    ///
    /// When the lifetime is over already, the source is not subscribed to.
    ///
    /// - Ends: with the lifetime, or with the source; the source is released before.
    /// - Fails: with the source.
    /// - Cancelling: ends the subscription.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: the source's; the completion may come on the one that ended the lifetime.
    public consuming func take(during lifetime: Lifetime) -> some Signal<Value, Failure> {
        take(until: lifetime.ended)
    }
}
