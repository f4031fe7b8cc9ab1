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
    /// - Buffers: nothing; keeps the source in order to resubscribe, so dispose of the subscription to free a hot source.
    /// - Thread: that of the present round; the next one is subscribed to where the one before it completed.
    ///
    /// - Parameter times: how many rounds there are in all.
    @inlinable
    @inline(__always)
    public func `repeat`(_ times: Int) -> some Signal<Value, Failure> {
        ResubscribingSignal(Repeating(source: self, remaining: times))
    }

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
    /// - Buffers: nothing; keeps the source in order to resubscribe, so dispose of the subscription to free a hot source.
    /// - Thread: that of the present round; the next one is subscribed to where the one before it completed.
    @inlinable
    @inline(__always)
    public consuming func repeatForever() -> some Signal<Value, Failure> {
        ResubscribingSignal(Repeating(source: self, remaining: nil))
    }
}

@frozen
@usableFromInline
struct Repeating<Source: Signal>: RepeatedPlan {
    @usableFromInline typealias Failure = Source.Failure
    @usableFromInline let source: Source
    /// How many rounds are left, the present one included; nil for ever.
    @usableFromInline var remaining: Int?

    @inlinable
    init(source: Source, remaining: Int?) {
        self.source = source
        self.remaining = remaining
    }

    @inlinable
    mutating func next() -> Source? {
        if let remaining, remaining <= 0 { return nil }
        return source
    }

    @inlinable
    mutating func ended(_ termination: Termination<Failure>) -> Termination<Failure>? {
        guard case .completed = termination else { return termination }
        if let remaining { self.remaining = remaining - 1 }
        return nil
    }

    @usableFromInline static var name: String { "repeat" }
    @usableFromInline var name: String { remaining.map { "repeat(\($0))" } ?? "repeatForever" }
}
