public import Timers

/// When a source was subscribed to, and when that subscription ended or was disposed of.
public struct SubscriptionWindow: Hashable, Sendable, CustomStringConvertible {
    /// By the clock of the source's scheduler; zero if it has none.
    public let start: TimerInstant
    /// Nil while it lasts.
    public let end: TimerInstant?

    /// A window that a test expects; without `end`, one that lasts.
    public init(from start: TimerInstant, to end: TimerInstant? = nil) {
        self.start = start
        self.end = end
    }

    /// The window as a marble line: `^` where it begins, `!` where it ends.
    public func marbles(step: Duration = .milliseconds(1)) -> String {
        MarbleDrawing(step: step).text([(start, .subscribed)] + (end.map { [($0, .disposed)] } ?? []))
    }

    public var description: String { end.map { "from \(start) to \($0)" } ?? "from \(start) on" }
}
