extension Signal {
    /// This signal, subscribed to again when it fails, at most `times` times.
    ///
    /// ```
    /// self, first     --1--2--x
    /// self, again             --1--x
    /// retry(1)        --1--2----1--x
    /// ```
    ///
    /// `times` counts the additional attempts, as in ReactiveCocoa, ReactiveSwift and Combine: with zero or less
    /// there are none. (RxSwift counts all attempts, the first included; for ReactiveCocoa zero meant for ever, which
    /// is ``retryForever()`` here.) Values of a failed attempt are not taken back.
    ///
    /// A million attempts that fail at once need no more stack than one, and nothing is kept of a failed attempt.
    ///
    /// - Ends: when an attempt completes.
    /// - Fails: with the last attempt.
    /// - Cancelling: ends the present attempt; there is no further one.
    /// - Buffers: nothing; keeps the source, to subscribe again: dropping a hot one is then not enough to free the chain.
    /// - Thread: that of the present attempt; the next one is subscribed to where the one before it failed.
    ///
    /// - Parameter times: how many attempts may follow the first.
    @inlinable
    @inline(__always)
    public consuming func retry(_ times: Int) -> some Signal<Value, Failure> {
        ResubscribingSignal(upstream: self, rule: Retrying<Failure>(remaining: times))
    }
}

@frozen
@usableFromInline
struct Retrying<Failure: Error>: RoundRule {
    @usableFromInline typealias InputFailure = Failure
    @usableFromInline var remaining: Int

    @inlinable
    init(remaining: Int) {
        self.remaining = remaining
    }

    @inlinable
    mutating func ended(_ termination: Termination<Failure>) -> Termination<Failure>? {
        guard case .failed = termination, remaining > 0 else { return termination }
        remaining -= 1
        return nil
    }

    @usableFromInline var name: String { "retry(\(remaining))" }
}
