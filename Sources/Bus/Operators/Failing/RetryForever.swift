extension Signal {
    /// This signal, subscribed to again whenever it fails.
    ///
    /// ```
    /// self, first     --1--x
    /// self, again          --1--x
    /// self, again               --1--2--|
    /// retryForever()  --1----1----1--2--|
    /// ```
    ///
    /// The next attempt follows at once. A source that fails at once and for good therefore makes an endless loop. If
    /// it fails while being subscribed to, `subscribe` never returns. ``retry(when:)`` waits in between.
    ///
    /// - Ends: when an attempt completes.
    /// - Fails: never.
    /// - Cancelling: ends the present attempt; there is no further one.
    /// - Buffers: nothing; keeps the source, to subscribe again: dropping a hot one is then not enough to free the chain.
    /// - Thread: that of the present attempt; the next one is subscribed to where the one before it failed.
    @inlinable
    @inline(__always)
    public consuming func retryForever() -> some Signal<Value, Never> {
        ResubscribingSignal(upstream: self, rule: RetryingForever<Failure>())
    }
}

@frozen
@usableFromInline
struct RetryingForever<InputFailure: Error>: RoundRule {
    @usableFromInline typealias Failure = Never

    @inlinable
    init() {}

    @inlinable
    mutating func ended(_ termination: Termination<InputFailure>) -> Termination<Never>? {
        switch termination {
        case .completed: .completed
        case .failed: nil
        }
    }

    @usableFromInline var name: String { "retryForever" }
}
