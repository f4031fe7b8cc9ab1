extension Signal {
    /// This signal, `times` times in a row.
    ///
    /// ```
    /// self       --1--2--|
    /// repeat(2)  --1--2----1--2--|
    /// ```
    ///
    /// `times` counts all rounds, as in ReactiveSwift: with one it is this signal, with zero or less it is empty and
    /// nothing is subscribed to. (ReactiveCocoa repeated for ever, which is ``repeatForever()`` here.) A round follows
    /// when the one before it has completed. A million rounds of a synchronous signal need no more stack than one.
    ///
    /// - Ends: with the last round.
    /// - Fails: with the first round that fails.
    /// - Cancelling: ends the present round; there is no further one.
    /// - Buffers: nothing; keeps the source, to subscribe again: dropping a hot one is then not enough to free the chain.
    /// - Thread: that of the present round; the next one is subscribed to where the one before it completed.
    ///
    /// - Parameter times: how many rounds there are in all.
    @inlinable
    @inline(__always)
    public func `repeat`(_ times: Int) -> some Signal<Value, Failure> {
        ResubscribingSignal(upstream: self, rule: Repeating<Failure>(remaining: times))
    }
}

@frozen
@usableFromInline
struct Repeating<Failure: Error>: RoundRule {
    @usableFromInline typealias InputFailure = Failure
    @usableFromInline var remaining: Int

    @inlinable
    init(remaining: Int) {
        self.remaining = remaining
    }

    @inlinable
    mutating func ended(_ termination: Termination<Failure>) -> Termination<Failure>? {
        guard case .completed = termination, remaining > 1 else { return termination }
        remaining -= 1
        return nil
    }

    @inlinable
    var wantsRound: Bool { remaining > 0 }

    @usableFromInline var name: String { "repeat(\(remaining))" }
}
