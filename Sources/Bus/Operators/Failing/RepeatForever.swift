extension Signal {
    /// This signal, again whenever it completes.
    ///
    /// ```
    /// self             --1--2--|
    /// repeatForever()  --1--2----1--2----1--2---
    /// ```
    ///
    /// The next round follows at once: if the signal completes while being subscribed to, the subscription returns
    /// only when its observer wants no more.
    ///
    /// - Ends: never, unless the observer wants no more.
    /// - Fails: with the first round that fails.
    /// - Cancelling: ends the present round; there is no further one.
    /// - Buffers: nothing; keeps the source, to subscribe again: dropping a hot one is then not enough to free the chain.
    /// - Thread: that of the present round; the next one is subscribed to where the one before it completed.
    @inlinable
    @inline(__always)
    public consuming func repeatForever() -> some Signal<Value, Failure> {
        ResubscribingSignal(upstream: self, rule: RepeatingForever<Failure>())
    }
}

@frozen
@usableFromInline
struct RepeatingForever<Failure: Error>: RoundRule {
    @usableFromInline typealias InputFailure = Failure

    @inlinable
    init() {}

    @inlinable
    mutating func ended(_ termination: Termination<Failure>) -> Termination<Failure>? {
        switch termination {
        case .completed: nil
        case .failed: termination
        }
    }

    @usableFromInline var name: String { "repeatForever" }
}
