import Timers

/// The options of `explain` that ask about a calendar.
struct CalendarQuestion {
    private enum Notation: String {
        case calendar = "--calendar"
        case cron = "--cron"
    }

    static var options: [CommandOption<Self>] {
        [
            .value(
                "--calendar",
                of: "expression",
                help:
                    "Show the next times of a calendar in the notation of systemd.time(7), such as 'Mon..Fri 09:00 Europe/Berlin'."
            ) { try $0.ask(.calendar, $1) },
            .value(
                "--cron",
                of: "expression",
                help:
                    "The same for the five fields of crontab(5), behind which a time zone may stand. Local times that the clocks change are treated as cron treats them."
            ) { try $0.ask(.cron, $1) },
            .value("--next", of: "number", default: "1", help: "How many times to show, up to 10,000.") {
                $0.count = try WholeNumber.parse($1, in: 1...10_000, example: "--next 5")
            },
        ]
    }

    private var asked: (notation: Notation, text: String)?
    private var count: Int?

    private mutating func ask(_ notation: Notation, _ text: String) throws {
        if let asked {
            throw BadValue(description: "there is \(asked.notation.rawValue) already; one calendar is shown at a time")
        }
        asked = (notation, text)
    }

    /// - Parameter filter: a filter that was typed, too.
    func validate(besides filter: String?) throws {
        if let asked, let filter {
            throw ValidationError("\(asked.notation.rawValue) leaves no room for a filter, but there is '\(filter)'.")
        }
        if asked == nil, count != nil {
            throw ValidationError("--next needs a calendar. Write --calendar or --cron, too.")
        }
    }

    /// Nil when no calendar is asked about.
    func explanation() throws -> CalendarExplanation? {
        guard let (notation, text) = asked else { return nil }
        do {
            let schedule =
                switch notation {
                case .calendar: try CalendarSchedule(text)
                case .cron: try CalendarSchedule(cron: text)
                }
            return CalendarExplanation(
                schedule,
                original: text,
                count: count ?? 1,
                now: SystemClock.wall.now,
                local: try .local()
            )
        } catch {
            StandardError.report(rendered: "\(error)")
            throw ExitStatus.usage
        }
    }
}
