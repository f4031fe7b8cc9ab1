import Records
import Timers

/// The value of `--every`.
enum CountedSpans {
    case equal(Duration)
    /// In systemd's notation.
    case calendar(String)

    init(argument: String) throws {
        let mistake: any Error
        do {
            self = .equal(try Duration(argument: argument))
            return
        } catch {
            mistake = error
        }
        self = .calendar(argument)
        do {
            _ = try grouping([], isUTC: true)
        } catch {
            // A text of one word is rather meant for a duration.
            throw argument.contains { ":-*~ ".contains($0) } ? error : mistake
        }
    }

    func grouping(_ fields: [FieldPath], isUTC: Bool) throws -> RecordGrouping {
        switch self {
        case .equal(let span): return RecordGrouping(fields: fields, every: span)
        case .calendar(let text):
            do {
                let calendar = try isUTC ? CalendarSchedule(text, local: .utc) : CalendarSchedule(text)
                return RecordGrouping(fields: fields, every: calendar)
            } catch let error as CalendarError {
                throw BadValue(description: "as a calendar, at byte \(error.offset + 1): \(error.reason)")
            } catch {
                throw BadValue(description: "\(error)")
            }
        }
    }
}
