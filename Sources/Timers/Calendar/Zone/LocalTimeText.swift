import Zones

extension ZoneInfo {
    /// A time as the zone's clocks show it, such as `Sun 2026-03-29 03:00:00 CEST`.
    package func text(at instant: TimerInstant) -> String {
        let (second, rest) = instant.nanoseconds.flooredQuotientAndRemainder(dividingBy: 1_000_000_000)
        let type = zone.type(at: second)
        return "\(Self.text(local: (second + type.offset) * 1_000_000 + rest / 1000)) \(type.abbreviation)"
    }

    /// - Parameter microseconds: since 1970, as if the clocks showed UTC.
    static func text(local microseconds: Int64) -> String {
        let (day, time) = microseconds.flooredQuotientAndRemainder(dividingBy: CalendarFields.microsecondsPerDay)
        let date = CivilDate(daysSince1970: day)
        let weekday = CalendarExpression.weekdayNames[Int((day + 3).flooredRemainder(7))]
        return "\(weekday) \(date.year)-\(padded(date.month))-\(padded(date.day)) \(text(time: time))"
    }

    /// - Parameter microseconds: since midnight.
    static func text(time microseconds: Int64) -> String {
        let (second, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let text = "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
        return fraction == 0 ? text : "\(text).\(padded(fraction, digits: 6))"
    }

    private static func padded(_ number: some BinaryInteger, digits: Int = 2) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
