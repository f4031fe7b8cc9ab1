public import Bus
public import Filter

extension Signal {
    /// The values that a filter selects: those for which its expression is `true`. A value for which it has no answer
    /// is left out, and counted by the tally.
    ///
    /// ```
    /// self                        --term(1000)--hup(0)---term(0)--|
    /// filter "number == SIGTERM"  --term(1000)-----------term(0)--|
    /// ```
    ///
    /// - Parameters:
    ///   - filter: compiled beforehand, so that a wrong expression is refused before anything is subscribed to.
    ///   - tally: counts the filter's results. It may be shared.
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func filter(
        matching filter: ValueFilter<Value>,
        tally: FilterTally? = nil
    ) -> some Signal<Value, Failure> {
        self.filter { filter.selects($0, tally) }
    }
}
