extension ValueBuffer {
    /// Runs `subscribe` on a thread of its own, which may be made to wait, and returns once the subscription stands: when
    /// `subscribe` has returned, or when the source has filled the queue while being subscribed to.
    func onOwnThread(_ subscribe: @escaping @Sendable () -> any Disposable) -> any Disposable {
        let subscription = SerialDisposable()
        let standing = Latch()
        whenFull(standing.open)
        // The thread lets go of the source before it says that it is done, not when it has ended.
        let work = Lock<(@Sendable () -> any Disposable)?>(subscribe)
        do {
            try PinnedThread.start(name: "bus-values") {
                if let subscribe = work.withLock({ $0.take() }) { subscription.set(subscribe()) }
                standing.open()
            }
        } catch {
            // Without a thread the source cannot be made to wait; what finds the queue full is lost and counted.
            return subscribe()
        }
        standing.wait()
        return subscription
    }
}
