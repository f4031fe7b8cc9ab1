extension Duration {
    /// The duration in nanoseconds: a fraction of one counts as a whole one, and what is beyond `Int64` is its end.
    @usableFromInline
    package var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let fraction = attoseconds / 1_000_000_000 + (attoseconds % 1_000_000_000 > 0 ? 1 : 0)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // Seconds and fraction bear the same sign, so only adding them can lead further out.
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = whole.addingReportingOverflow(fraction)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }
}
