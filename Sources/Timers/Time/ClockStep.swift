/// Somebody set the wall clock.
public struct ClockStep: Sendable, Hashable, CustomStringConvertible {
    /// How far it was set forward; negative when it was set back. Measured against the boot clock, to within some
    /// microseconds; NTP makes the boot clock faster and slower along with this one. Several steps noticed at once
    /// are one.
    ///
    /// About zero when the machine was suspended and resumed, which the kernel reports in the same way.
    public let distance: Duration

    /// The time of the wall clock when the step was noticed.
    public let noticed: TimerInstant

    public init(distance: Duration, noticed: TimerInstant) {
        self.distance = distance
        self.noticed = noticed
    }

    public var description: String {
        distance < .zero ? "the clock was set back by \(.zero - distance)" : "the clock was set forward by \(distance)"
    }
}
