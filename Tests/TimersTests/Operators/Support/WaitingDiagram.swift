import Bus
import BusTesting
import Timers

/// Runs a diagram with the source in line `self`, a column a millisecond, and reports differences in the result. Names
/// may have different lengths: every line begins with its first character.
///
/// It is run twice. In the first run the source's events at an instant come before the timers due then, in the second
/// after them. Both results must match the diagram.
func violations<Output: Signal>(
    _ diagram: String,
    _ build: (_ source: AnySignal<Int, TestFailure>, _ time: TestScheduler) -> Output
) -> [String] {
    let aligned = diagram.split(separator: "\n").map { line -> String in
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        let name = words[0] + String(repeating: " ", count: 16 - words[0].count)
        return name + String(words[1].drop { $0 == " " })
    }
    .joined(separator: "\n")
    let first = Diagram(aligned).violations { build(AnySignal($0.hot("self")), $0.time) }
    let second = Diagram(aligned).violations { build(AnySignal($0.hot("self").deliver(on: $0.time)), $0.time) }
    return first + second.map { "after the timers: \($0)" }
}

extension Duration {
    /// The columns of a diagram.
    static func columns(_ count: Int) -> Duration { .milliseconds(count) }
}
