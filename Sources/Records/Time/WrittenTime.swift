import Glibc

extension RecordTime {
    /// A time as people write it, as in systemd.time(7), in the local zone or a named one: `2026-11-23 18:00`, `18:00 Asia/Tokyo`,
    /// `yesterday`, `-2h`, `10min ago`, `@1700000000`. Also a time in the form of journalctl's output:
    /// `2026-11-23T18:00:00+0100`, `Nov 23 18:00:00`. `nil` for anything else, and outside of the years 1970 to 9999.
    ///
    /// - Parameters:
    ///   - text: the time.
    ///   - now: what relative times and days start from.
    public init?(written text: String, now: RecordTime = .now) {
        guard let time = WrittenTime.parse(text, now: now.microseconds) else { return nil }
        self.init(microseconds: time)
    }
}

/// Times as people write them.
enum WrittenTime {
    /// The end of the year 9999, the latest time of systemd.
    private static let latest: Int64 = 253_402_300_799_000_000

    static func parse(_ text: String, now: Int64) -> Int64? {
        guard let time = time(text, now: now), (0...latest).contains(time) else { return nil }
        return time
    }

    private static func time(_ text: String, now: Int64) -> Int64? {
        if text == "now" { return now }
        if let first = text.first, "+-@".contains(first) {
            guard let span = span(String(text.dropFirst())) else { return nil }
            return first == "@" ? span : shift(now, by: first == "+" ? span : -span)
        }
        if text.hasSuffix(" ago") { return span(String(text.dropLast(4))).map { shift(now, by: -$0) } }
        if text.hasSuffix(" left") { return span(String(text.dropLast(5))).map { shift(now, by: $0) } }
        return date(text, now: now)
    }

    private static func shift(_ time: Int64, by span: Int64) -> Int64 {
        RecordTime(microseconds: time).shifted(by: span).microseconds
    }

    // MARK: Spans

    private static let units: [(names: [String], microseconds: Double)] = [
        (["us", "usec", "µs", "μs"], 1), (["ms", "msec"], 1e3), (["", "s", "sec", "second", "seconds"], 1e6),
        (["m", "min", "minute", "minutes"], 60e6), (["h", "hr", "hour", "hours"], 3600e6),
        (["d", "day", "days"], 86_400e6), (["w", "week", "weeks"], 604_800e6),
        // 30.44 days, and 365.25: systemd.time(7).
        (["M", "month", "months"], 2_629_800e6), (["y", "year", "years"], 31_557_600e6),
    ]

    /// Numbers with units; seconds where there is no unit.
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

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func date(_ text: String, now: Int64) -> Int64? {
        if text.first?.isNumber == true, text.prefix(while: { $0 != " " }).contains("T") { return iso(text, now: now) }
        let isUTC = text.lowercased().hasSuffix(" utc")
        var words = text.dropLast(isUTC ? 4 : 0).split(separator: " ")
        if !isUTC, words.count > 1, let word = words.last, word.first?.isNumber == false {
            words.removeLast()
            return WallClock.called(String(word)).lazy.compactMap { self.date(words, on: $0, now: now) }.first
        }
        return self.date(words, on: isUTC ? .utc : .local(abbreviation: nil), now: now)
    }

    /// `2026-11-23T18:00:00`, with `Z` or an offset from UTC behind it.
    private static func iso(_ text: String, now: Int64) -> Int64? {
        var words = text.split(separator: "T")
        guard words.count == 2 else { return nil }
        var clock = WallClock.local(abbreviation: nil)
        if words[1].last == "Z" {
            clock = .utc
            words[1].removeLast()
        } else if let sign = words[1].firstIndex(where: { $0 == "+" || $0 == "-" }) {
            guard let offset = offset(words[1][sign...]) else { return nil }
            clock = .offset(offset)
            words[1] = words[1][..<sign]
        }
        return date(words, on: clock, now: now)
    }

    /// `+0100`, `-03:30`, `+01`, in seconds.
    private static func offset(_ text: Substring) -> Int64? {
        let digits = text.dropFirst()
        let hours = digits.prefix(2)
        var minutes = digits.dropFirst(2)
        if minutes.first == ":" { minutes.removeFirst() }
        guard let hour = number(hours, 2...2), let minute = minutes.isEmpty ? 0 : number(minutes, 2...2),
            hour < 24, minute < 60, minutes.isEmpty == (digits.count == 2)
        else { return nil }
        let seconds = Int64(hour) * 3600 + Int64(minute) * 60
        return text.first == "-" ? -seconds : seconds
    }

    /// - Parameter words: the words of the date without its zone.
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
        let month = months.firstIndex(of: words[0].lowercased())
        if let month, weekday == nil, words.count > 1, let day = number(words[1], 1...2), (1...31).contains(day) {
            (parts.tm_mon, parts.tm_mday) = (Int32(month), day)
            words.removeFirst(2)
        } else if words[0].contains("-") {
            guard day(words.removeFirst(), &parts) else { return nil }
        } else if weekday != nil {
            return nil
        }
        var fraction: Int64 = 0
        if let time = words.first {
            guard let rest = self.clock(time, &parts), words.count == 1 else { return nil }
            fraction = rest
        }
        guard let time = seconds(parts, weekday, on: clock).map({ $0 * 1_000_000 + fraction }) else { return nil }
        guard month != nil, time > now else { return time }
        // Without a year it is the last time that this was shown.
        parts.tm_year -= 1
        return seconds(parts, weekday, on: clock).map { $0 * 1_000_000 + fraction }
    }

    private static func seconds(_ wanted: tm, _ weekday: Int?, on clock: WallClock) -> Int64? {
        var parts = wanted
        guard let time = clock.seconds(&parts),
            (wanted.tm_mday, wanted.tm_mon, wanted.tm_year) == (parts.tm_mday, parts.tm_mon, parts.tm_year),
            weekday == nil || Int(parts.tm_wday) == weekday
        else { return nil }
        return time
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
