import Bus
import BusTesting
import Timers

/// Runs a diagram whose source is the line `self`, a column a millisecond, and says what came out otherwise.
///
/// It is run twice: once so that what the source sends at an instant comes before the timers that are due at it, and
/// once so that it comes after them. Both must come out as drawn.
func violations<Output: Signal>(
    _ diagram: String,
    _ build: (_ source: AnySignal<Int, TestFailure>, _ time: TestScheduler) -> Output
) -> [String] {
    let first = Diagram(diagram).violations { build(AnySignal($0.hot("self")), $0.time) }
    let second = Diagram(diagram).violations { build(AnySignal($0.hot("self").deliver(on: $0.time)), $0.time) }
    return first + second.map { "after the timers: \($0)" }
}

extension Duration {
    /// The columns of a diagram.
    static func columns(_ count: Int) -> Duration { .milliseconds(count) }
}
