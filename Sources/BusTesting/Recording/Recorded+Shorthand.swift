import Bus
import Timers

// RxTest's `.next(210, 1)`, `.completed(250)` and `.error(250, failure)`; times are milliseconds from zero.
extension Recorded {
    /// A value, so many milliseconds after zero.
    public static func next(_ milliseconds: Int64, _ value: Value) -> Recorded {
        Recorded(at(milliseconds), .next(value))
    }

    /// The completion, so many milliseconds after zero.
    public static func completed(_ milliseconds: Int64) -> Recorded {
        Recorded(at(milliseconds), .completed)
    }

    /// A failure, so many milliseconds after zero.
    public static func failed(_ milliseconds: Int64, _ failure: Failure) -> Recorded {
        Recorded(at(milliseconds), .failed(failure))
    }

    private static func at(_ milliseconds: Int64) -> TimerInstant {
        TimerInstant(nanoseconds: milliseconds * 1_000_000)
    }
}
