/// Each event may go a fixed time after it came.
@frozen
@usableFromInline
struct DelayPace: Pace {
    @usableFromInline let duration: Int64

    @inlinable
    init(duration: Int64) {
        self.duration = duration
    }

    /// Values come on the scheduler also without a delay.
    @inlinable
    var letsPass: Bool { false }

    @inlinable
    mutating func due(arrival: Int64, at now: Int64) -> Int64 { arrival.later(by: duration) }

    @inlinable
    func dueOther(arrival: Int64) -> Int64 { arrival.later(by: duration) }

    @inlinable
    mutating func sent(at now: Int64) {}

    @usableFromInline var name: String { "delay(\(Duration.nanoseconds(duration)))" }
}
