import Bus
import Timers

/// The events of a marble line.
struct MarbleScript<Value: Sendable, Failure: MarbleFailure> {
    let events: [Recorded<Value, Failure>]

    /// - Parameters:
    ///   - line: the text.
    ///   - step: how long a character lasts.
    ///   - value: makes the value for a sign; nil when there is none.
    init(_ line: String, step: Duration, value: (String) -> Value?) throws(MarbleError) {
        try self.init(MarbleLine(line), line, step: step, value: value)
    }

    init(_ parsed: MarbleLine, _ line: String, step: Duration, value: (String) -> Value?) throws(MarbleError) {
        var events: [Recorded<Value, Failure>] = []
        for sign in parsed.signs {
            let time = TimerInstant(nanoseconds: 0).advanced(by: step * sign.step)
            switch sign.marble {
            case .completed: events.append(Recorded(time, .completed))
            case .value(let text):
                guard let value = value(text) else {
                    throw MarbleError(line, at: sign.step + 1, "\"\(text)\" stands for no \(Value.self)")
                }
                events.append(Recorded(time, .next(value)))
            case .failed(let text):
                guard let failure = Failure(marble: text) else {
                    let reason = "this signal cannot fail with \"\(text)\"; a value \"x\" is written 'x'"
                    throw MarbleError(line, at: sign.step + 1, reason)
                }
                events.append(Recorded(time, .failed(failure)))
            case .subscribed, .disposed:
                throw MarbleError(line, at: sign.step + 1, "a source does not subscribe; leave out \"^\" and \"!\"")
            }
        }
        self.events = events
    }
}
