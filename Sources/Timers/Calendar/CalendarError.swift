/// An expression of a calendar could not be understood.
public struct CalendarError: Error, Equatable, CustomStringConvertible {
    /// The notation of an expression.
    enum Notation {
        case calendar
        case cron
    }

    /// The expression.
    public let text: String
    /// The place in it, in bytes of UTF-8 from its beginning; the expression's length when something is missing at
    /// the end.
    public let offset: Int
    /// The mistake there.
    public let reason: String
    let notation: Notation

    /// The reason, the expression, and a mark beneath the place.
    public var description: String {
        let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
        let mark = String(repeating: " ", count: before.unicodeScalars.count) + "^"
        let (name, manual) =
            switch notation {
            case .calendar: ("calendar", "systemd.time(7), \"Calendar Events\"")
            case .cron: ("cron", "crontab(5)")
            }
        return "cannot understand the \(name) expression: \(reason)\n  \(text)\n  \(mark)\nsee \(manual)"
    }
}
