extension Int64 {
    /// The sum of an instant in nanoseconds and a duration, saturated at the ends of the range.
    @inlinable
    package func later(by distance: Int64) -> Int64 {
        TimerInstant(nanoseconds: self).advanced(byNanoseconds: distance).nanoseconds
    }
}
