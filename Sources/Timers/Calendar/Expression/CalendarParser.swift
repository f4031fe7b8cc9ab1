import SystemPackage
import Zones

/// Reads a calendar expression. It handles one part at a time: zone, shorthand or weekdays, date, time.
struct CalendarParser {
    private let whole: String
    private let bytes: [UInt8]
    /// Where the zone's name begins, or the text's end.
    private var end: Int
    private var position = 0
    private var expression = CalendarExpression()

    private init(_ text: String) {
        whole = text
        bytes = Array(text.utf8)
        end = bytes.count
    }

    /// - Parameter local: the zone whose abbreviations, such as `CET` and `CEST`, are understood.
    static func parse(_ text: String, local: ZoneInfo) throws(CalendarError) -> CalendarExpression {
        var parser = CalendarParser(text)
        try parser.takeZone(local)
        if parser.isAtEnd { throw parser.error("expected a day or a time") }
        if !parser.takeShorthand() {
            try parser.parseWeekdays()
            if try !parser.parseDate() { try parser.parseTime() }
        }
        let expression = parser.expression.normalized
        if let (reason, place) = expression.complaint { throw parser.error(reason, at: place) }
        return expression
    }

    // MARK: Zone

    /// Whether a last word can only be a zone: numbers and dates do not begin with a letter.
    static func mayBeZone(_ word: some StringProtocol) -> Bool {
        word.utf8.first.map { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") } ?? false
    }

    private mutating func takeZone(_ local: ZoneInfo) throws(CalendarError) {
        guard let space = bytes.lastIndex(of: UInt8(ascii: " ")) else { return }
        let name = String(decoding: bytes[(space + 1)...], as: UTF8.self)
        let lowercased = name.lowercased()
        let (standard, daylightSaving) = local.abbreviations
        if lowercased == "utc" {
            expression.zone = .utc
        } else if let standard, lowercased == standard.lowercased() {
            expression.zone = .localDaylightSaving(false)
        } else if let daylightSaving, lowercased == daylightSaving.lowercased() {
            expression.zone = .localDaylightSaving(true)
        } else if let zone = try namedZone(name, at: space + 1) {
            expression.zone = .named(zone)
        } else {
            // A text that is no zone may still be a time. When it is neither, the error is about the time.
            return
        }
        end = space
    }

    private func namedZone(_ name: String, at place: Int) throws(CalendarError) -> ZoneInfo? {
        do throws(ZoneError) {
            return try Self.zone(named: name)
        } catch {
            if !Self.mayBeZone(name) { return nil }
            throw self.error(error.description, at: place)
        }
    }

    /// Nil when there is no such zone.
    static func zone(named name: String) throws(ZoneError) -> ZoneInfo? {
        do throws(ZoneError) {
            return try ZoneInfo(named: name)
        } catch {
            if [nil, .invalidArgument, .noSuchFileOrDirectory, .notDirectory, .isDirectory].contains(error.errno) {
                return nil
            }
            throw error
        }
    }

    // MARK: Shorthands

    private mutating func takeShorthand() -> Bool {
        guard let fields = CalendarShorthand.fields[String(decoding: bytes[..<end], as: UTF8.self).lowercased()] else {
            return false
        }
        let zone = expression.zone
        expression = fields
        expression.zone = zone
        return true
    }

    // MARK: Weekdays

    private mutating func parseWeekdays() throws(CalendarError) {
        /// The first day of a range.
        var rangeStart: Int?
        var isFirst = true
        var weekdays: UInt8 = 0
        defer { if weekdays != 0 { expression.weekdays = weekdays } }
        while true {
            guard let day = try takeWeekday() else {
                if isFirst { return }
                throw error("a weekday is expected here, as Mon or Monday")
            }
            weekdays |= 1 << UInt8(day)
            if let first = rangeStart {
                guard first <= day else { throw error("the range of weekdays ends before it begins") }
                for between in first...day { weekdays |= 1 << UInt8(between) }
            }
            if isAtEnd { return }
            if skipSpaces() { return }
            if next(is: ".") || next(is: "-") {
                guard rangeStart == nil else { throw error("a range has two ends") }
                if skip(".") {
                    guard skip(".") else { throw error("a range is written with two dots") }
                } else {
                    _ = skip("-")
                }
                rangeStart = day
                if isAtEnd || next(is: " ") { throw error("the range of weekdays has no end") }
            } else {
                _ = skip(",")
                rangeStart = nil
                // A trailing comma is allowed.
                if isAtEnd || skipSpaces() { return }
            }
            isFirst = false
        }
    }

    /// The weekday's number, or nil when none is named here.
    private mutating func takeWeekday() throws(CalendarError) -> Int? {
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        for (number, name) in names.enumerated() {
            for spelling in [name, String(name.prefix(3))] where starts(with: spelling) {
                let after = position + spelling.utf8.count
                guard after == end || "-., ".utf8.contains(bytes[after]) else {
                    throw error("there is no such weekday; write \(name.prefix(3)) or \(name)")
                }
                position = after
                return number
            }
        }
        return nil
    }

    // MARK: Date

    /// - Returns: whether the date includes the time, too.
    private mutating func parseDate() throws(CalendarError) -> Bool {
        if isAtEnd { return false }
        if skip("@") {
            try parseTimestamp()
            return true
        }
        let start = position
        let first = try parseList("year or month")
        if isAtEnd || next(is: ":") {
            // It was a time.
            position = start
            return false
        }
        expression.countsFromEndOfMonth = try takeDateSeparator()
        let second = try parseList("month or day")
        if isAtEnd || skipSpaces() {
            expression.months = first
            expression.days = second
            return false
        }
        if expression.countsFromEndOfMonth { throw error("after ~ comes the day, and nothing after it") }
        expression.countsFromEndOfMonth = try takeDateSeparator()
        let third = try parseList("day")
        guard isAtEnd || skipSpaces() else { throw error("the date ends here, and a space has to follow") }
        expression.years = first
        expression.months = second
        expression.days = third
        return false
    }

    private mutating func takeDateSeparator() throws(CalendarError) -> Bool {
        if skip("~") { return true }
        guard skip("-") else { throw error("a date is written year-month-day or month-day") }
        return false
    }

    /// `@86400`: seconds since 1970.
    private mutating func parseTimestamp() throws(CalendarError) {
        let start = position
        let seconds = try parseNumber("seconds since 1970", limit: Int(Int32.max) * 4)
        guard isAtEnd else { throw error("after @ come only the digits of the seconds since 1970") }
        let date = CivilDate(daysSince1970: Int64(seconds / 86400))
        func single(_ value: Int) -> [CalendarComponent] { [CalendarComponent(start: value, place: start)] }
        expression.years = single(date.year)
        expression.months = single(date.month)
        expression.days = single(date.day)
        expression.hours = single(seconds % 86400 / 3600)
        expression.minutes = single(seconds % 3600 / 60)
        expression.microseconds = single(seconds % 60 * CalendarComponent.microsecondsPerSecond)
        expression.zone = .utc
    }

    // MARK: Time

    private mutating func parseTime() throws(CalendarError) {
        let zero = [CalendarComponent(start: 0, place: position)]
        if isAtEnd {
            (expression.hours, expression.minutes, expression.microseconds) = (zero, zero, zero)
            return
        }
        expression.hours = try parseList("hour")
        guard skip(":") else { throw error("after the hours comes a colon and the minutes") }
        expression.minutes = try parseList("minute")
        if isAtEnd {
            expression.microseconds = zero
            return
        }
        guard skip(":") else { throw error("after the minutes comes the end, or a colon and the seconds") }
        expression.microseconds = try parseList("second", isSeconds: true)
        guard isAtEnd else { throw error("expected the end or a known time zone") }
    }

    // MARK: Lists and numbers

    private mutating func parseList(_ name: String, isSeconds: Bool = false) throws(CalendarError)
        -> [CalendarComponent]
    {
        if skip("*") {
            guard isSeconds else { return [] }
            return [CalendarComponent(start: 0, step: CalendarComponent.microsecondsPerSecond, place: position - 1)]
        }
        var list: [CalendarComponent] = []
        repeat {
            if list.count > 240 { throw error("the list is longer than 240 elements") }
            list.append(try parseComponent(name, isSeconds))
        } while skip(",")
        return list
    }

    private mutating func parseComponent(_ name: String, _ isSeconds: Bool) throws(CalendarError) -> CalendarComponent {
        var component = CalendarComponent(start: 0, place: position)
        component.start = try parseValue(name, isSeconds)
        if starts(with: "..") {
            position += 2
            component.stop = try parseValue("end of the range", isSeconds)
            component.step = isSeconds ? CalendarComponent.microsecondsPerSecond : 1
        }
        if skip("/") {
            let place = position
            component.step = try parseValue("step", isSeconds)
            if component.step == 0 { throw error("a step of zero leads nowhere", at: place) }
        } else if isSeconds, let stop = component.stop, component.start + component.step > stop {
            throw error("a range of less than a second needs a step", at: component.place)
        }
        guard isAtEnd || " ,-~:".utf8.contains(bytes[position]) else {
            throw error("the \(name) ends here: this cannot follow")
        }
        return component
    }

    private mutating func parseValue(_ name: String, _ isSeconds: Bool) throws(CalendarError) -> Int {
        let unit = CalendarComponent.microsecondsPerSecond
        let whole = try parseNumber(name, limit: isSeconds ? Int(Int32.max) / unit : Int(Int32.max))
        guard isSeconds else { return whole }
        // One dot is a decimal point, two are a range.
        guard next(is: "."), !starts(with: "..") else { return whole * unit }
        position += 1
        guard digit != nil else { throw error("after the decimal point come digits") }
        var fraction = 0
        for _ in 0..<6 { fraction = fraction * 10 + (takeDigit() ?? 0) }
        if let next = takeDigit(), next >= 5 { fraction += 1 }
        while takeDigit() != nil {}
        return whole * unit + fraction
    }

    private mutating func parseNumber(_ name: String, limit: Int) throws(CalendarError) -> Int {
        let place = position
        guard digit != nil else {
            throw error(isAtEnd ? "the \(name) is missing" : "a number is expected here, the \(name)")
        }
        var number = 0
        while let digit = takeDigit() {
            number = number * 10 + digit
            if number > limit { throw error("the \(name) is too large", at: place) }
        }
        return number
    }

    // MARK: Bytes

    private var isAtEnd: Bool { position >= end }

    private var digit: Int? {
        guard position < end, bytes[position] >= 48, bytes[position] <= 57 else { return nil }
        return Int(bytes[position] - 48)
    }

    private mutating func takeDigit() -> Int? {
        guard let digit else { return nil }
        position += 1
        return digit
    }

    private func next(is character: Unicode.Scalar) -> Bool {
        position < end && bytes[position] == UInt8(ascii: character)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next(is: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() -> Bool {
        guard next(is: " ") else { return false }
        while skip(" ") {}
        return true
    }

    /// Ignores case; `text` is in lower case and ASCII.
    private func starts(with text: String) -> Bool {
        let length = text.utf8.count
        guard position + length <= end else { return false }
        return zip(bytes[position...], text.utf8).allSatisfy { byte, expected in
            byte == expected || byte >= 65 && byte <= 90 && byte | 0x20 == expected
        }
    }

    private func error(_ reason: String, at place: Int? = nil) -> CalendarError {
        CalendarError(text: whole, offset: min(place ?? position, bytes.count), reason: reason, notation: .calendar)
    }
}
