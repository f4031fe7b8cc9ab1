import JournalBridge
import Records

/// Boots or invocations with the times of their first and last entries, as `--list-boots` and `--list-invocations` show them: a
/// table or JSON.
struct PeriodList {
    struct Period {
        let id: String
        /// In microseconds since 1970.
        let first, last: UInt64
    }

    enum Kind {
        case boots, invocations

        var title: String { self == .boots ? "BOOT ID" : "INVOCATION ID" }
        var member: String { self == .boots ? "boot_id" : "invocation_id" }
    }

    let kind: Kind
    /// In the order of their first entries. The last one has the number 0, and the one before it -1.
    let periods: [Period]
    /// How many of the newest are shown; `nil` for all.
    let limit: Int?
    /// Whether the newest comes first.
    let isReversed: Bool

    /// The periods with their numbers.
    private var shown: [(number: Int, period: Period)] {
        let hidden = max(0, periods.count - (limit ?? .max))
        let shown = periods.indices.dropFirst(hidden).map { ($0 - periods.count + 1, periods[$0]) }
        return isReversed ? shown.reversed() : shown
    }

    /// Whether nothing is shown.
    var isEmpty: Bool { shown.isEmpty }

    // MARK: A table

    func table(isUTC: Bool) -> String {
        let titles = [kind.title, "FIRST ENTRY", "LAST ENTRY"].map { TextTable.Column(title: $0) }
        var table = TextTable([.init(title: "IDX", isNumber: true)] + titles, gap: " ")
        for (number, period) in shown {
            let times = [period.first, period.last].map { JournalTime.text($0, isUTC: isUTC) }
            table.add(["\(number)", period.id] + times)
        }
        return table.text
    }

    // MARK: JSON

    /// One array, as journalctl prints it in this format; `nil` for a format that is not JSON.
    func json(_ format: JournalFormat) -> String? {
        switch format {
        case .json: array("{", "}", between: ",", colon: ":", around: ("[", "]\n"))
        case .jsonSequence: array("{", "}", between: ",", colon: ":", around: ("\u{1E}[", "]\n"))
        case .jsonEvents: array("{", "}", between: ",", colon: ":", around: ("data: [", "]\n\n"))
        case .jsonPretty:
            array("\t{\n\t\t", "\n\t}", between: ",\n", members: ",\n\t\t", colon: " : ", around: ("[\n", "\n]\n"))
        default: nil
        }
    }

    private func array(
        _ start: String,
        _ end: String,
        between separator: String,
        members: String = ",",
        colon: String,
        around: (String, String)
    ) -> String {
        let objects = shown.map { number, period in
            let pairs = [
                ("index", "\(number)"), (kind.member, "\"\(period.id)\""), ("first_entry", "\(period.first)"),
                ("last_entry", "\(period.last)"),
            ]
            return start + pairs.map { "\"\($0)\"\(colon)\($1)" }.joined(separator: members) + end
        }
        return around.0 + objects.joined(separator: separator) + around.1
    }
}
