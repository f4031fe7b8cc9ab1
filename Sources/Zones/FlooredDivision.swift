extension Int64 {
    /// Division that rounds down, below zero too, and the remainder, which is never negative.
    @inlinable package func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (
        quotient: Int64, remainder: Int64
    ) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    @inlinable package func flooredQuotient(_ divisor: Int64) -> Int64 {
        flooredQuotientAndRemainder(dividingBy: divisor).quotient
    }

    @inlinable package func flooredRemainder(_ divisor: Int64) -> Int64 {
        flooredQuotientAndRemainder(dividingBy: divisor).remainder
    }
}
