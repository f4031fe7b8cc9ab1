extension Duration {
    /// The duration in nanoseconds, rounded up to a whole one and saturated to the range of `Int64`.
    @usableFromInline
    package var saturatedNanoseconds: Int64 {
        let attoseconds = attoseconds
        let (high, low) = (UInt64(truncatingIfNeeded: attoseconds >> 64), UInt64(truncatingIfNeeded: attoseconds))
        // Up to 584 years, including zero, one division of the processor is enough; dividing 128 bits takes ten times
        // as long.
        guard high < 1_000_000_000 else { return Self.saturated(attoseconds) }
        let (quotient, rest) = (1_000_000_000 as UInt64).dividingFullWidth((high, low))
        let (nanoseconds, overflow) = quotient.addingReportingOverflow(rest > 0 ? 1 : 0)
        return overflow ? .max : Int64(clamping: nanoseconds)
    }

    /// The same for negative durations and for the longest.
    private static func saturated(_ attoseconds: Int128) -> Int64 {
        let (quotient, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int64(clamping: rest > 0 ? quotient + 1 : quotient)
    }
}
