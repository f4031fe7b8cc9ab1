import Zones

extension TimerInstant {
    /// An instant of the wall clock in UTC, as RFC 3339 has it: `2026-11-29T22:40:58Z`, with as many digits of the second's fraction
    /// as there are, three, six or nine. It means nothing for another clock.
    public var iso8601: String {
        let (second, nanosecond) = nanoseconds.flooredQuotientAndRemainder(dividingBy: 1_000_000_000)
        let (day, rest) = second.flooredQuotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: day)
        func padded(_ number: Int64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let fraction =
            if nanosecond == 0 { "" } else if nanosecond % 1_000_000 == 0 {
                "." + padded(nanosecond / 1_000_000, 3)
            } else if nanosecond % 1000 == 0 { "." + padded(nanosecond / 1000, 6) } else {
                "." + padded(nanosecond, 9)
            }
        let calendar = "\(padded(Int64(date.year), 4))-\(padded(Int64(date.month), 2))-\(padded(Int64(date.day), 2))"
        return "\(calendar)T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))\(fraction)Z"
    }
}
