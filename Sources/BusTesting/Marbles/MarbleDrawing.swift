import Timers

/// Draws signs at instants as a marble line.
struct MarbleDrawing {
    let step: Duration

    /// The line. Where it cannot be drawn (an event is between two steps, or a group is longer than the time to the
    /// next event), each sign with its time.
    func text(_ signs: [(time: TimerInstant, marble: Marble)]) -> String {
        line(signs) ?? signs.map { "\($0.marble.text) at \($0.time)" }.joined(separator: ", ")
    }

    /// The step of an instant.
    func step(of time: TimerInstant) -> Int? {
        let length = step.saturatedNanoseconds
        guard length > 0, time.nanoseconds % length == 0 else { return nil }
        return Int(time.nanoseconds / length)
    }

    private func line(_ signs: [(time: TimerInstant, marble: Marble)]) -> String? {
        var line = ""
        var rest = signs[...]
        while let first = rest.first {
            let moment = rest.prefix { $0.time == first.time }
            rest = rest[moment.endIndex...]
            guard let step = step(of: first.time), step >= line.count, step < Self.maxSteps else { return nil }
            line += String(repeating: "-", count: step - line.count)
            let texts = moment.map(\.marble.text).joined()
            line += moment.count == 1 ? texts : "(\(texts))"
        }
        return line
    }

    /// A longer line helps nobody.
    private static let maxSteps = 500
}
