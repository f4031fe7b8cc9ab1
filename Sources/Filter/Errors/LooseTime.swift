/// Times and durations as people write them, in the spelling of the language.
enum LooseTime {
    /// `timestamp("2026-01-01T00:00:00Z")` for `2026-01-01`, `2026-01-01 10:00`, `2026-01-01T10:00:00+02:00`;
    /// `now - duration("1h")` for `-1h` and `1 hour ago`. `nil` for anything else.
    static func time(_ text: String) -> String? {
        guard text.utf8.count <= maxLength else { return nil }
        return date(text) ?? distance(text)
    }

    /// `duration("5m")` for `5 minutes`, and for a number alone, which counts seconds.
    static func duration(_ text: String) -> String? {
        let length = text.hasSuffix(" ago") ? text.dropLast(4) : text[...]
        guard text.utf8.count <= maxLength, let short = short(String(length)) else { return nil }
        return "duration(\"\(short)\")"
    }

    /// No time that anyone writes is longer, in bytes.
    private static let maxLength = 64

    private static func date(_ text: String) -> String? {
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let (_, day, minute, second, zone) = match.output
        let clock = minute.map { "\($0.count < 5 ? "0" : "")\($0)" } ?? "00:00"
        let written = "\(day)T\(clock)\(second ?? ":00")\(zone ?? "Z")"
        return Timestamp(parsing: written.utf8) == nil ? nil : "timestamp(\"\(written)\")"
    }

    private static var pattern: Regex<(Substring, Substring, Substring?, Substring?, Substring?)> {
        /(\d{4}-\d\d-\d\d)(?:[T ](\d{1,2}:\d\d)(:\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?/
    }

    private static func distance(_ text: String) -> String? {
        if text.lowercased() == "now" { return "now" }
        let rest: Substring
        if text.hasPrefix("-") {
            rest = text.dropFirst()
        } else if text.hasSuffix(" ago") {
            rest = text.dropLast(4)
        } else {
            return nil
        }
        return duration(String(rest)).map { "now - \($0)" }
    }

    /// `1h30m` for `1 hour 30 minutes`.
    private static func short(_ text: String) -> String? {
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return checked("\(text)s") }
        var short = ""
        var rest = Substring(text)
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest[number.endIndex...].drop { $0 == " " }
            let word = rest.prefix { $0.isLetter }
            rest = rest[word.endIndex...].drop { $0 == " " || $0 == "," }
            guard !number.isEmpty, let unit = unit(String(word)) else { return nil }
            short += "\(number)\(unit)"
        }
        return checked(short)
    }

    private static func checked(_ short: String) -> String? {
        DurationText.parse(short.utf8) == nil ? nil : short
    }

    /// The language's name for a unit of time that is spelled in another way.
    static func unit(_ word: String) -> String? {
        switch word {
        case "ns", "us", "ms", "s", "m", "h", "d", "w": word
        case "nanosecond", "nanoseconds", "nsec": "ns"
        case "µs", "μs", "microsecond", "microseconds", "usec": "us"
        case "millisecond", "milliseconds", "msec": "ms"
        case "sec", "secs", "second", "seconds": "s"
        case "min", "mins", "minute", "minutes": "m"
        case "hr", "hrs", "hour", "hours", "H": "h"
        case "day", "days", "D": "d"
        case "week", "weeks", "W": "w"
        default: nil
        }
    }
}
