/// The rule by which a zone goes on after its last recorded change, as in `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable {
    /// In seconds east of UTC.
    private let standard: Int64
    private let summer: (offset: Int64, begin: Change, end: Change)?

    /// A moment of the year, in the time that holds until then.
    private struct Change: Sendable {
        enum Day: Sendable {
            /// The nth such weekday of the month; the fifth is the last.
            case weekday(month: Int64, week: Int64, day: Int64)
            /// 1 to 365; 29 February is never counted.
            case withoutLeapDay(Int64)
            /// 0 to 365.
            case ofYear(Int64)
        }

        let day: Day
        let second: Int64

        /// In seconds since 1970, as a clock shows it.
        func time(inYear year: Int64) -> Int64 {
            let first = CivilDate.firstDay(ofYear: year)
            let isLeap = CivilDate.firstDay(ofYear: year + 1) - first == 366
            let date: Int64 =
                switch day {
                case .ofYear(let day): first + day
                case .withoutLeapDay(let day): first + day - (isLeap && day >= 60 ? 0 : 1)
                case .weekday(let month, let week, let day): Self.date(year, month, week, day)
                }
            return date * 86_400 + second
        }

        private static func date(_ year: Int64, _ month: Int64, _ week: Int64, _ day: Int64) -> Int64 {
            let first = CivilDate(year: year, month: month, day: 1)?.daysSince1970 ?? CivilDate.firstDay(ofYear: year)
            let weekday = (first + 4).flooredQuotientAndRemainder(dividingBy: 7).remainder
            var date = first + (day - weekday + 7) % 7 + (week - 1) * 7
            while CivilDate(daysSince1970: date).month != month { date -= 7 }
            return date
        }
    }

    func offset(at seconds: Int64) -> Int64 {
        guard let summer else { return standard }
        let year = CivilDate(
            daysSince1970: (seconds + standard).flooredQuotientAndRemainder(dividingBy: 86_400).quotient
        ).year
        let begin = summer.begin.time(inYear: year) - standard
        let end = summer.end.time(inYear: year) - summer.offset
        // South of the equator summer goes on over the turn of the year.
        let isSummer = begin < end ? begin <= seconds && seconds < end : seconds >= begin || seconds < end
        return isSummer ? summer.offset : standard
    }

    /// `nil` for an empty text, or one that is no rule.
    init?(_ text: ArraySlice<UInt8>) {
        var rest = text
        guard Self.takeName(&rest), let west = Self.takeTime(&rest) else { return nil }
        standard = -west
        guard Self.takeName(&rest) else {
            summer = nil
            return
        }
        let offset = rest.first == UInt8(ascii: ",") ? standard + 3600 : -(Self.takeTime(&rest) ?? west - 3600)
        guard let begin = Self.takeChange(&rest), let end = Self.takeChange(&rest) else { return nil }
        summer = (offset, begin, end)
    }

    /// Letters, or anything between angle brackets.
    private static func takeName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        rest.removeFirst(letters.count)
        return !letters.isEmpty
    }

    /// `1`, `-3`, `5:30` or `2:00:00`, in seconds.
    private static func takeTime(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard var seconds = takeNumber(&rest).map({ $0 * 3600 }) else { return nil }
        for unit in [Int64(60), 1] where rest.first == UInt8(ascii: ":") {
            rest.removeFirst()
            guard let part = takeNumber(&rest) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest.removeFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// `,M3.5.0/2`, `,J60` or `,59`.
    private static func takeChange(_ rest: inout ArraySlice<UInt8>) -> Change? {
        guard rest.popFirst() == UInt8(ascii: ","), let day = takeDay(&rest) else { return nil }
        guard rest.first == UInt8(ascii: "/") else { return Change(day: day, second: 7200) }
        rest.removeFirst()
        return takeTime(&rest).map { Change(day: day, second: $0) }
    }

    private static func takeDay(_ rest: inout ArraySlice<UInt8>) -> Change.Day? {
        switch rest.first {
        case UInt8(ascii: "J"):
            rest.removeFirst()
            return takeNumber(&rest).map { .withoutLeapDay($0) }
        case UInt8(ascii: "M"):
            rest.removeFirst()
            guard let month = takeNumber(&rest), rest.popFirst() == UInt8(ascii: "."), let week = takeNumber(&rest),
                rest.popFirst() == UInt8(ascii: "."), let day = takeNumber(&rest), (1...12).contains(month),
                (1...5).contains(week), day < 7
            else { return nil }
            return .weekday(month: month, week: week, day: day)
        default: return takeNumber(&rest).map { .ofYear($0) }
        }
    }
}
