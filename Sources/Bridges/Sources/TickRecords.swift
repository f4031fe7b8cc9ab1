package import Bus
package import FilterBridge
package import Records
import Timers

/// Ticks: `every:10s`, `calendar:'Mon..Fri 09:00'`.
package struct TickRecords: RecordSource {
    package static let spellings = [
        SourceSpelling(
            "every",
            operand: "DURATION",
            example: "every:10s",
            summary: "a tick each so often",
            name: "timer"
        ),
        SourceSpelling(
            "calendar",
            operand: "EXPR",
            example: "calendar:'Mon..Fri 09:00'",
            summary: "a tick at each of a calendar's times, as systemd.time(7) has them",
            name: "timer"
        ),
    ]

    private enum Times: Sendable {
        case every(Duration)
        case calendar(CalendarSchedule)
    }

    package let word: String
    private let times: Times

    package init(word: String, operand: String) throws(SourceArgumentError) {
        self.word = word
        times = word == "every" ? .every(try Self.period(operand)) : .calendar(try Self.calendar(operand))
    }

    package var fields: RecordKind { .ticks }
    package var traits: SourceTraits { .live }

    package func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        switch times {
        case .every(let period):
            Signals.interval(every: period).records(named: request.name).promoteFailure(to: SourceError.self)
                .items(request)
        case .calendar(let calendar):
            Signals.interval(calendar: calendar).records(named: request.name).promoteFailure(to: SourceError.self)
                .items(request)
        }
    }

    private static func period(_ text: String) throws(SourceArgumentError) -> Duration {
        guard let period = Duration(written: text) else { throw SourceArgumentError(Duration.writtenForm) }
        return period
    }

    private static func calendar(_ text: String) throws(SourceArgumentError) -> CalendarSchedule {
        do {
            return try CalendarSchedule(text)
        } catch {
            let line = "\(error)".split(separator: "\n").first.map(String.init) ?? "\(error)"
            throw SourceArgumentError("\(line); see systemd.time(7), \"Calendar Events\"")
        }
    }
}
