extension ZoneRule {
    /// Reads a `TZ` string of POSIX, with the extensions of RFC 9636; nil when it is not one.
    package init?(_ text: [UInt8]) {
        var reader = RuleReader(bytes: text)
        guard let name = reader.name(), let west = reader.time(hours: 24) else { return nil }
        standard = TimeZone.LocalTimeType(offset: -west, isDaylightSaving: false, abbreviation: name)
        if reader.isAtEnd {
            daylightSaving = nil
            return
        }
        guard let summerName = reader.name() else { return nil }
        var offset = standard.offset + 3600
        if !reader.isAtEnd, !reader.next(is: ",") {
            guard let west = reader.time(hours: 24) else { return nil }
            offset = -west
        }
        let type = TimeZone.LocalTimeType(offset: offset, isDaylightSaving: true, abbreviation: summerName)
        if reader.isAtEnd {
            // The C library gives a rule without dates this meaning: the rule of the United States.
            let start = Moment(day: .weekday(month: 3, week: 2, weekday: 0))
            let end = Moment(day: .weekday(month: 11, week: 1, weekday: 0))
            daylightSaving = DaylightSaving(type: type, start: start, end: end)
            return
        }
        guard reader.skip(","), let start = reader.moment(), reader.skip(","), let end = reader.moment(), reader.isAtEnd
        else { return nil }
        daylightSaving = DaylightSaving(type: type, start: start, end: end)
    }
}

private struct RuleReader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    func next(is character: Unicode.Scalar) -> Bool {
        position < bytes.count && bytes[position] == UInt8(ascii: character)
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next(is: character) else { return false }
        position += 1
        return true
    }

    /// `CET`, or `<+0330>`: at least three characters, as POSIX and the C library demand.
    mutating func name() -> String? {
        let isQuoted = skip("<")
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            let isLetter = (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
            let isQuotable = byte >= 48 && byte <= 57 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            guard isLetter || isQuoted && isQuotable else { break }
            position += 1
        }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        if isQuoted, !skip(">") { return nil }
        return name.utf8.count < 3 ? nil : name
    }

    /// `[+-]hh[:mm[:ss]]`, in seconds.
    mutating func time(hours: Int) -> Int64? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard var seconds = number(upTo: hours).map({ $0 * 3600 }) else { return nil }
        if skip(":") {
            guard let minutes = number(upTo: 59) else { return nil }
            seconds += minutes * 60
            if skip(":") {
                guard let rest = number(upTo: 59) else { return nil }
                seconds += rest
            }
        }
        return Int64(isNegative ? -seconds : seconds)
    }

    /// `M3.5.0/2`, `J60`, `59`.
    mutating func moment() -> ZoneRule.Moment? {
        guard let day = day() else { return nil }
        guard skip("/") else { return ZoneRule.Moment(day: day) }
        // A week is allowed, to express days that no week number and weekday express.
        guard let seconds = time(hours: 167) else { return nil }
        return ZoneRule.Moment(day: day, seconds: seconds)
    }

    private mutating func day() -> ZoneRule.Moment.Day? {
        if skip("J") { return number(upTo: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
        guard skip("M") else { return number(upTo: 365).map { .zeroBased($0) } }
        guard let month = number(upTo: 12), month > 0, skip("."), let week = number(upTo: 5), week > 0, skip("."),
            let weekday = number(upTo: 6)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }

    private mutating func number(upTo limit: Int) -> Int? {
        let start = position
        var number = 0
        while position < bytes.count, bytes[position] >= 48, bytes[position] <= 57, number <= limit {
            number = number * 10 + Int(bytes[position] - 48)
            position += 1
        }
        return position > start && number <= limit ? number : nil
    }
}
