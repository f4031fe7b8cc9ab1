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
    /// - Buffers: nothing; keeps the source in order to resubscribe, so dispose of the subscription to free a hot source.
    /// - Thread: that of the present attempt; the next one is subscribed to where the one before it failed.
    ///
    /// - Parameter times: how many attempts may follow the first.
    @inlinable
    @inline(__always)
    public consuming func retry(_ times: Int) -> some Signal<Value, Failure> {
        ResubscribingSignal(Retrying(source: self, remaining: times))
    }

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
    /// - Buffers: nothing; keeps the source in order to resubscribe, so dispose of the subscription to free a hot source.
    /// - Thread: that of the present attempt; the next one is subscribed to where the one before it failed.
    @inlinable
    @inline(__always)
    public consuming func retryForever() -> some Signal<Value, Never> {
        ResubscribingSignal(RetryingForever(source: self))
    }
}

@frozen
@usableFromInline
struct Retrying<Source: Signal>: RepeatedPlan {
    @usableFromInline typealias Failure = Source.Failure
    @usableFromInline let source: Source
    @usableFromInline var remaining: Int

    @inlinable
    init(source: Source, remaining: Int) {
        self.source = source
        self.remaining = remaining
    }

    @inlinable
    mutating func ended(_ termination: Termination<Failure>) -> Termination<Failure>? {
        guard case .failed = termination, remaining > 0 else { return termination }
        remaining -= 1
        return nil
    }

    @usableFromInline static var name: String { "retry" }
    @usableFromInline var name: String { "retry(\(remaining))" }
}

@frozen
@usableFromInline
struct RetryingForever<Source: Signal>: RepeatedPlan {
    @usableFromInline typealias Failure = Never
    @usableFromInline let source: Source

    @inlinable
    init(source: Source) {
        self.source = source
    }

    @inlinable
    mutating func ended(_ termination: Termination<Source.Failure>) -> Termination<Never>? {
        switch termination {
        case .completed: .completed
        case .failed: nil
        }
    }

    @usableFromInline static var name: String { "retryForever" }
}
