/// Tells double presses of a mouse button from single ones.
struct ClickCounter {
    private static let interval = Duration.milliseconds(400)

    private var last: (place: Place, time: ContinuousClock.Instant)?

    mutating func press(at place: Place, _ now: ContinuousClock.Instant) -> Pointer.Action {
        if let last, last.place == place, now - last.time <= Self.interval {
            self.last = nil
            return .doublePress
        }
        last = (place, now)
        return .press
    }
}
