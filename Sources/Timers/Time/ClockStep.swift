/// Somebody set the wall clock.
public struct ClockStep: Sendable, Hashable, CustomStringConvertible {
    /// How far it was set forward; negative when it was set back. Measured against the boot clock, which NTP makes faster
    /// and slower along with this one, to within some microseconds. Several steps noticed at once are one.
    ///
    /// About zero when the machine was suspended and resumed, which the kernel reports in the same way.
    public let distance: Duration

    /// What the wall clock showed when it was noticed.
    public let noticed: TimerInstant

    public init(distance: Duration, noticed: TimerInstant) {
        self.distance = distance
        self.noticed = noticed
    }

    public var description: String {
        distance < .zero ? "the clock was set back by \(.zero - distance)" : "the clock was set forward by \(distance)"
    }
}
