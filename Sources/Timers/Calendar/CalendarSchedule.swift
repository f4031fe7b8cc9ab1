import Zones

/// Times of day that come again and again, in systemd's notation: `Mon..Fri *-*-* 08:00:00 Europe/Berlin`.
///
/// It supports all of systemd.time(7), "Calendar Events": weekdays, lists, ranges, steps with `/`, days counted from
/// the month's end with `~`, fractions of a second, `@` and seconds since 1970, time zones, and the words `minutely`,
/// `hourly`, `daily`, `weekly`, `monthly`, `quarterly`, `semiannually` and `yearly`.
///
/// ```swift
/// import Timers
///
/// let mornings = try CalendarSchedule("Mon..Fri 8:00 Europe/Berlin")
/// print(mornings)  // Mon..Fri *-*-* 08:00:00 Europe/Berlin
/// for morning in mornings.occurrences(after: SystemClock.wall.now).prefix(3) { print(morning) }
/// ```
///
/// When the clocks change, a time that they skip in spring does not come on that day, and a time that they show twice
/// in autumn comes once, the first time. A schedule is a value that any thread may use. It reads the zone once, when
/// it is made.
public struct CalendarSchedule: Sendable, Hashable, CustomStringConvertible {
    private let expression: CalendarExpression
    private let zone: ZoneInfo

    /// The normal form, as `systemd-analyze calendar` prints it. It makes the same schedule again, in the same zone.
    public let description: String

    /// Reads an expression.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - local: the zone to use where the expression names none. Its abbreviations, such as `CET`, are understood.
    /// - Throws: ``CalendarError``, which shows the place of the mistake.
    public init(_ text: String, local: ZoneInfo) throws(CalendarError) {
        expression = try CalendarParser.parse(text, local: local)
        switch expression.zone {
        case .utc:
            zone = .utc
            description = "\(expression) UTC"
        case .named(let zone):
            self.zone = zone
            description = "\(expression) \(zone.name)"
        case .local:
            zone = local
            description = "\(expression)"
        case .localDaylightSaving(let isOn):
            zone = local
            let (standard, daylightSaving) = local.abbreviations
            description = [expression.description, isOn ? daylightSaving : standard].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    /// Reads an expression. Where it names no zone, the machine's local zone is used. `UTC`, `@` and names such as
    /// `Europe/Berlin` need no local zone, and then it is not read.
    ///
    /// - Throws: ``CalendarError``, or ``ZoneError`` when the local zone cannot be read.
    public init(_ text: String) throws {
        try self.init(text, local: Self.mayNeedLocalZone(text) ? ZoneInfo.local() : .utc)
    }

    /// Whether it names no zone, or an abbreviation that means something else in each zone.
    private static func mayNeedLocalZone(_ text: String) -> Bool {
        if text.hasPrefix("@") { return false }
        guard let space = text.utf8.lastIndex(of: UInt8(ascii: " ")) else { return true }
        let last = text[text.utf8.index(after: space)...]
        return last.lowercased() != "utc" && !(CalendarParser.mayBeZone(last) && last.contains("/"))
    }

    /// The first time after `instant`, an instant of the wall clock; nil when there is none before the year 2200.
    /// Takes some microseconds.
    public func next(after instant: TimerInstant) -> TimerInstant? {
        // There are no times before 1970.
        let microseconds = max(instant.nanoseconds.flooredQuotient(1000), -1)
        var search = CalendarSearch(expression, in: zone)
        return search.next(after: microseconds).map { TimerInstant(nanoseconds: $0 * 1000) }
    }

    /// The times after `instant`, one by one, as they are asked for.
    public func occurrences(after instant: TimerInstant) -> some Sequence<TimerInstant> {
        sequence(state: instant) { last -> TimerInstant? in
            guard let next = next(after: last) else { return nil }
            last = next
            return next
        }
    }

    public static func == (a: CalendarSchedule, b: CalendarSchedule) -> Bool {
        a.description == b.description && a.zone == b.zone
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A calendar expression could not be understood.
public struct CalendarError: Error, Equatable, CustomStringConvertible {
    /// The expression.
    public let text: String
    /// The place in it, in bytes of UTF-8 from its beginning; the expression's length when something is missing at
    /// the end.
    public let offset: Int
    /// The mistake there.
    public let reason: String

    /// The reason, the expression, and a mark beneath the place.
    public var description: String {
        let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
        let mark = String(repeating: " ", count: before.unicodeScalars.count) + "^"
        return
            "cannot understand the calendar expression: \(reason)\n  \(text)\n  \(mark)\nsee systemd.time(7), \"Calendar Events\""
    }
}
