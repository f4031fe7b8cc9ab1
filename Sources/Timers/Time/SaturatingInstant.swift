extension Int64 {
    /// Nanoseconds on a clock and so many more; what would lie beyond an end of the line is that end.
    @inlinable
    package func later(by distance: Int64) -> Int64 {
        TimerInstant(nanoseconds: self).advanced(byNanoseconds: distance).nanoseconds
    }
}
