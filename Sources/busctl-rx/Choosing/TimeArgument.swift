import Glibc

/// A time as systemd.time(7) spells it, in the local zone or one that is named: `2026-11-23 18:00`, `18:00 Asia/Tokyo`, `yesterday`,
/// `-2h`, `10min ago`, `@1700000000`.
struct TimeArgument: Equatable {
    /// Since 1970.
    let microseconds: Int64

    init(argument: String) throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let reading = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        guard let time = Self.parse(argument, now: reading) else {
            throw BadValue(
                description:
                    "write a time, as in '2026-11-23 18:00', '18:00 Asia/Tokyo', today, yesterday, -2h, '10min ago' or @1700000000"
            )
        }
        microseconds = time
    }

    /// A hundred centuries, as far as systemd goes.
    private static let latest: Int64 = 253_402_300_799_000_000

    static func parse(_ text: String, now: Int64) -> Int64? {
        guard let time = time(text, now: now), (0...latest).contains(time) else { return nil }
        return time
    }

    private static func time(_ text: String, now: Int64) -> Int64? {
        if text == "now" { return now }
        if let first = text.first, "+-@".contains(first) {
            guard let span = span(String(text.dropFirst())) else { return nil }
            return first == "@" ? span : first == "+" ? now + span : now - span
        }
        if text.hasSuffix(" ago") { return span(String(text.dropLast(4))).map { now - $0 } }
        if text.hasSuffix(" left") { return span(String(text.dropLast(5))).map { now + $0 } }
        return date(text, now: now)
    }

    // MARK: Spans

    private static let units: [(names: [String], microseconds: Double)] = [
        (["us", "usec", "µs", "μs"], 1), (["ms", "msec"], 1e3), (["", "s", "sec", "second", "seconds"], 1e6),
        (["m", "min", "minute", "minutes"], 60e6), (["h", "hr", "hour", "hours"], 3600e6),
        (["d", "day", "days"], 86_400e6), (["w", "week", "weeks"], 604_800e6),
        // 30.44 days, and 365.25: systemd.time(7).
        (["M", "month", "months"], 2_629_800e6), (["y", "year", "years"], 31_557_600e6),
    ]

    /// Numbers with units, seconds where there is none.
    private static func span(_ text: String) -> Int64? {
        var rest = text.drop { $0 == " " }
        var total = 0.0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count).drop { $0 == " " }
            guard digits.first?.isNumber == true, let count = Double(digits),
                let scale = units.first(where: { $0.names.contains(String(unit)) })?.microseconds
            else { return nil }
            total += count * scale
        }
        return total < Double(latest) ? Int64(total.rounded()) : nil
    }

    // MARK: Dates

    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    private static func date(_ text: String, now: Int64) -> Int64? {
        var rest = text[...]
        let isISO = text.first?.isNumber == true && text.prefix { $0 != " " }.contains("T")
        let isUTC = rest.lowercased().hasSuffix(" utc") || isISO && rest.hasSuffix("Z")
        if isUTC { rest = rest.dropLast(isISO ? 1 : 4) }
        var words = rest.split(separator: isISO ? "T" : " ")
        if isISO, words.count != 2 { return nil }
        if !isUTC, !isISO, words.count > 1, let word = words.last, word.first?.isNumber == false {
            words.removeLast()
            return WallClock.called(String(word)).lazy.compactMap { self.date(words, on: $0, now: now) }.first
        }
        return self.date(words, on: isUTC ? .utc : .local(abbreviation: nil), now: now)
    }

    /// - Parameter words: those of the date without its zone.
    private static func date(_ words: [Substring], on clock: WallClock, now: Int64) -> Int64? {
        var words = words
        var parts = clock.parts(at: now / 1_000_000)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
        if words.count == 1, let days = ["yesterday": -1, "today": 0, "tomorrow": 1][words[0]] {
            parts.tm_mday += Int32(days)
            return clock.seconds(&parts).map { $0 * 1_000_000 }
        }
        var weekday: Int?
        if let word = words.first?.lowercased(), word.count >= 3,
            let index = weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word })
        {
            weekday = index
            words.removeFirst()
        }
        guard !words.isEmpty else { return nil }
        if words[0].contains("-") {
            guard day(words.removeFirst(), &parts) else { return nil }
        } else if weekday != nil {
            return nil
        }
        var fraction: Int64 = 0
        if let time = words.first {
            guard let rest = self.clock(time, &parts), words.count == 1 else { return nil }
            fraction = rest
        }
        let wanted = (parts.tm_mday, parts.tm_mon, parts.tm_year)
        guard let time = clock.seconds(&parts), wanted == (parts.tm_mday, parts.tm_mon, parts.tm_year),
            weekday == nil || Int(parts.tm_wday) == weekday
        else { return nil }
        return time * 1_000_000 + fraction
    }

    /// `2026-11-23`, `26-11-23`.
    private static func day(_ word: Substring, _ parts: inout tm) -> Bool {
        let numbers = word.split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 3, let year = number(numbers[0], 2...4), let month = number(numbers[1], 1...2),
            let day = number(numbers[2], 1...2), (1...12).contains(month), (1...31).contains(day)
        else { return false }
        // Two digits are of 1969 to 2068, as in strptime.
        parts.tm_year = numbers[0].count == 2 ? (year < 69 ? year + 100 : year) : year - 1900
        (parts.tm_mon, parts.tm_mday) = (month - 1, day)
        return true
    }

    /// `18:00`, `18:00:01.5`. The microseconds.
    private static func clock(_ word: Substring, _ parts: inout tm) -> Int64? {
        let pieces = word.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = pieces[0].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(numbers.count), pieces.count == 1 || pieces.count == 2 && numbers.count == 3,
            let hour = number(numbers[0], 1...2), let minute = number(numbers[1], 1...2), hour < 24, minute < 60
        else { return nil }
        (parts.tm_hour, parts.tm_min) = (hour, minute)
        if numbers.count == 3 {
            guard let second = number(numbers[2], 1...2), second < 60 else { return nil }
            parts.tm_sec = second
        }
        guard pieces.count == 2 else { return 0 }
        guard let digits = number(pieces[1], 1...6) else { return nil }
        return (0..<(6 - pieces[1].count)).reduce(Int64(digits)) { value, _ in value * 10 }
    }

    private static func number(_ text: Substring, _ length: ClosedRange<Int>) -> Int32? {
        guard length.contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int32(text)
    }
}
