public import Bus
public import Timers

/// An event and the time when it was heard.
public struct Recorded<Value: Sendable, Failure: Error>: Sendable {
    /// By the clock of the recorder's scheduler; zero if it has none.
    public let time: TimerInstant
    /// What was heard: a value or the end.
    public let event: Event<Value, Failure>

    /// An event that a test expects, to compare with a recorder's timeline.
    public init(_ time: TimerInstant, _ event: Event<Value, Failure>) {
        self.time = time
        self.event = event
    }
}

extension Recorded: Equatable where Value: Equatable, Failure: Equatable {}

extension Recorded: CustomStringConvertible {
    public var description: String { "\(event) at \(time)" }
}

extension Sequence {
    /// The events as a marble line, from time zero to the last of them; see ``Diagram`` for the notation.
    ///
    /// If the line cannot be drawn, because an event falls between two steps or a group leaves no room for the next
    /// event, the events are listed with their times instead.
    public func marbles<Value, Failure>(step: Duration = .milliseconds(1)) -> String
    where Element == Recorded<Value, Failure> {
        MarbleDrawing(step: step).text(map { ($0.time, Marble($0.event)) })
    }
}
