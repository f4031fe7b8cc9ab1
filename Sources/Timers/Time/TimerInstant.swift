/// A point on a scheduler's clock, in nanoseconds.
///
/// On ``TimerScheduler`` that is CLOCK_MONOTONIC: it counts from the machine's start, never steps, and stands still
/// while the machine is suspended. Virtual time counts from zero. Instants of different clocks cannot be compared.
///
/// Arithmetic does not overflow: it saturates at the ends of the range.
@frozen
public struct TimerInstant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
    /// Nanoseconds since the clock's zero.
    public var nanoseconds: Int64

    /// An instant of a clock: nanoseconds since the clock's zero.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The earliest instant there is; a timer for it is due at once.
    public static let distantPast = TimerInstant(nanoseconds: .min)

    /// The latest instant there is, 292 years from zero; a timer for it never comes.
    public static let distantFuture = TimerInstant(nanoseconds: .max)

    /// This instant plus a duration. A fraction of a nanosecond counts as a whole one, so that a deadline is not
    /// early.
    @inlinable
    public func advanced(by duration: Duration) -> TimerInstant {
        advanced(byNanoseconds: duration.saturatedNanoseconds)
    }

    @inlinable
    package func advanced(byNanoseconds distance: Int64) -> TimerInstant {
        // A distance that is itself the end of the range stands for anything beyond it.
        if distance == .max || distance == .min { return TimerInstant(nanoseconds: distance) }
        let (sum, overflow) = nanoseconds.addingReportingOverflow(distance)
        return TimerInstant(nanoseconds: overflow ? (distance < 0 ? .min : .max) : sum)
    }

    /// The exact time from this instant to `other`; negative when that is earlier.
    public func duration(to other: TimerInstant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// ``advanced(by:)``.
    @inlinable
    public static func + (instant: TimerInstant, duration: Duration) -> TimerInstant { instant.advanced(by: duration) }

    /// ``advanced(by:)`` in the other direction.
    @inlinable
    public static func - (instant: TimerInstant, duration: Duration) -> TimerInstant {
        instant.advanced(by: .zero - duration)
    }

    /// The exact time from the second instant to the first.
    @inlinable
    public static func - (a: TimerInstant, b: TimerInstant) -> Duration { b.duration(to: a) }

    @inlinable
    public static func < (a: TimerInstant, b: TimerInstant) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Seconds since the clock's zero, exactly. See ``iso8601`` for an instant of the wall clock.
    public var description: String {
        let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var fraction = String(rest + 1_000_000_000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        return "\(nanoseconds < 0 ? "-" : "")\(seconds).\(fraction) seconds"
    }
}

extension Int64 {
    /// The sum of an instant in nanoseconds and a duration, saturated at the ends of the range.
    @inlinable
    package func later(by distance: Int64) -> Int64 {
        TimerInstant(nanoseconds: self).advanced(byNanoseconds: distance).nanoseconds
    }
}

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
