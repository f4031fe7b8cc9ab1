extension ValueBuffer {
    /// Subscribes from a thread of its own, which may be made to wait, and returns once the subscription stands: when
    /// `subscribe` has returned, or when the source has filled the queue while being subscribed to.
    func subscribeOnOwnThread<Source: Signal>(
        to signal: Source
    ) -> any Disposable where Source.Value == Value, Source.Failure == Failure {
        let subscription = SerialDisposable()
        let standing = Latch()
        whenFull(standing.open)
        do {
            try PinnedThread.start(name: "bus-values") {
                subscription.set(signal.subscribe(ValueBufferObserver(self)))
                standing.open()
            }
        } catch {
            // Without a thread the source cannot be made to wait; what finds the queue full is lost and counted.
            return signal.subscribe(ValueBufferObserver(self))
        }
        standing.wait()
        return subscription
    }
}
