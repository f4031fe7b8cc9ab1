import Zones

/// Reads a cron expression: five fields, or a word such as `@daily`, and perhaps a zone.
struct CronParser {
    private let text: String
    private let bytes: [UInt8]
    /// Where each word begins and ends.
    private let words: [Range<Int>]
    private var position = 0
    private var end = 0

    private struct Field {
        let name: String
        let range: ClosedRange<Int>
        /// The names of the numbers from the least one on.
        var names: [String] = []
    }

    private static let fields = [
        Field(name: "minute", range: 0...59),
        Field(name: "hour", range: 0...23),
        Field(name: "day of the month", range: 1...31),
        Field(
            name: "month",
            range: 1...12,
            names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        ),
        Field(name: "weekday", range: 0...7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
    ]

    private static let shorthands = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]

    private init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
        words = bytes.indices.split { [bytes] in bytes[$0] == UInt8(ascii: " ") || bytes[$0] == UInt8(ascii: "\t") }
            .map { $0.startIndex..<$0.endIndex }
    }

    /// Whether a word stands where the zone does.
    static func namesZone(_ text: String) -> Bool {
        let parser = CronParser(text)
        return parser.words.count > parser.zoneIndex
    }

    /// - Returns: also whether the field of the minute or the hour begins with `*`: cron then goes by the time that has
    ///   passed when the clocks change, and not by what they show.
    static func parse(_ text: String) throws(CalendarError) -> (expression: CalendarExpression, isWildcard: Bool) {
        var parser = CronParser(text)
        var cron = try parser.parseFields()
        cron.expression.zone = try parser.parseZone()
        return cron
    }

    // MARK: Words

    private var isShorthand: Bool { words.first.map { bytes[$0.lowerBound] == UInt8(ascii: "@") } ?? false }

    private var zoneIndex: Int { isShorthand ? 1 : Self.fields.count }

    private func word(_ number: Int) -> String { String(decoding: bytes[words[number]], as: UTF8.self) }

    private mutating func parseZone() throws(CalendarError) -> CalendarExpression.Zone {
        guard words.count > zoneIndex else { return .local }
        let (name, place) = (word(zoneIndex), words[zoneIndex].lowerBound)
        guard CalendarParser.mayBeZone(name) else {
            throw error(
                "at most a zone follows the five fields; seconds and years need a calendar expression",
                at: place
            )
        }
        guard words.count == zoneIndex + 1 else {
            throw error("nothing comes after the zone", at: words[zoneIndex + 1].lowerBound)
        }
        if name.lowercased() == "utc" { return .utc }
        do throws(ZoneError) {
            if let zone = try CalendarParser.zone(named: name) { return .named(zone) }
        } catch {
            throw self.error(error.description, at: place)
        }
        throw error("there is no time zone \(name)", at: place)
    }

    private mutating func parseFields() throws(CalendarError) -> (expression: CalendarExpression, isWildcard: Bool) {
        if isShorthand {
            guard let fields = Self.shorthands[word(0).lowercased()] else { throw shorthandError }
            var parser = CronParser(fields)
            return try parser.parseFields()
        }
        if let first = words.first, bytes[first].contains(UInt8(ascii: "=")) {
            throw error("the zone comes last, as in 0 9 * * 1-5 Europe/Berlin", at: first.lowerBound)
        }
        guard words.count >= Self.fields.count else {
            let missing = Self.fields[words.count].name
            throw error("the \(missing) is missing: minute, hour, day of the month, month, weekday", at: bytes.count)
        }
        var lists: [[CalendarComponent]] = []
        for (number, field) in Self.fields.enumerated() {
            (position, end) = (words[number].lowerBound, words[number].upperBound)
            lists.append(try parseList(field))
        }
        let beginsWithStar = words.map { bytes[$0.lowerBound] == UInt8(ascii: "*") }
        return (expression(lists, beginsWithStar), beginsWithStar[0] || beginsWithStar[1])
    }

    private var shorthandError: CalendarError {
        switch word(0).lowercased() {
        case "@reboot": error("@reboot is not a time", at: words[0].lowerBound)
        case "@every": error("@every is an interval, and not a calendar", at: words[0].lowerBound)
        default: error("write \(Self.shorthands.keys.sorted().joined(separator: ", "))", at: words[0].lowerBound)
        }
    }

    private func expression(_ lists: [[CalendarComponent]], _ beginsWithStar: [Bool]) -> CalendarExpression {
        let second = [CalendarComponent(start: 0)]
        var result = CalendarExpression(
            months: lists[3],
            days: lists[2],
            hours: lists[1],
            minutes: lists[0],
            microseconds: second
        )
        let weekdays = lists[4].reduce(0) { $0 | $1.weekdays }
        if !lists[4].isEmpty, weekdays != CalendarExpression.everyWeekday { result.weekdays = weekdays }
        if !beginsWithStar[2], !beginsWithStar[4] {
            // If all numbers or all weekdays fit, every day does.
            let hasAllNumbers = lists[2].isEmpty || Set(lists[2].flatMap(\.numbers)).count == 31
            result.matchesEitherDay = !hasAllNumbers && result.weekdays != nil
            if !result.matchesEitherDay { (result.weekdays, result.days) = (nil, []) }
        }
        return result.normalized
    }

    // MARK: Fields

    /// - Returns: the elements, none for `*`.
    private mutating func parseList(_ field: Field) throws(CalendarError) -> [CalendarComponent] {
        var list: [CalendarComponent] = []
        var hasAll = false
        repeat {
            if list.count > 240 { throw error("the list is longer than 240 elements") }
            let component = try parseComponent(field)
            if component.numbers.elementsEqual(field.range) { hasAll = true }
            list.append(component)
        } while skip(",")
        guard position == end else { throw error("the \(field.name) ends here: this cannot follow\(hint)") }
        return hasAll ? [] : list
    }

    private mutating func parseComponent(_ field: Field) throws(CalendarError) -> CalendarComponent {
        var component = CalendarComponent(start: field.range.lowerBound, step: 1, place: position)
        let hasStar = skip("*")
        if hasStar {
            component.stop = field.range.upperBound
        } else {
            component.start = try parseValue(field)
            if skip("-") {
                let place = position
                var stop = try parseValue(field)
                // Sunday ends a week, too.
                if field.range.upperBound == 7, stop == 0, component.start > 0 { stop = 7 }
                guard component.start <= stop else { throw error("the range ends before it begins", at: place) }
                component.stop = stop
            } else {
                component.step = 0
            }
        }
        guard skip("/") else { return component }
        guard component.stop != nil else {
            throw error(
                "versions of cron differ here: write \(component.start)-\(field.range.upperBound)/… for steps",
                at: position - 1
            )
        }
        let place = position
        component.step = try parseNumber("step", field.range.upperBound, at: place)
        if component.step == 0 { throw error("a step of zero leads nowhere", at: place) }
        // The normal form of */5 is 0/5.
        let isRepeated = component.step > 1 && component.start + component.step <= field.range.upperBound
        if hasStar, isRepeated, field.range.upperBound != 7 { component.stop = nil }
        return component
    }

    private mutating func parseValue(_ field: Field) throws(CalendarError) -> Int {
        let place = position
        let word = String(decoding: bytes[position..<end].prefix { $0 | 0x20 >= 97 && $0 | 0x20 <= 122 }, as: UTF8.self)
        if let number = field.names.firstIndex(of: word.lowercased()) {
            position += word.utf8.count
            return field.range.lowerBound + number
        }
        let number = try parseNumber(field.name, Int(Int32.max), at: place)
        guard field.range.contains(number) else {
            let bounds = "\(field.range.lowerBound) to \(field.range.upperBound)"
            throw error("the \(field.name) is not in the range of \(bounds)", at: place)
        }
        return number
    }

    private mutating func parseNumber(_ name: String, _ limit: Int, at place: Int) throws(CalendarError) -> Int {
        var number = 0
        while position < end, bytes[position] >= 48, bytes[position] <= 57 {
            number = number * 10 + Int(bytes[position] - 48)
            position += 1
            if number > limit { throw error("the \(name) is too large", at: place) }
        }
        guard position > place else {
            throw error(
                position == end ? "the \(name) is missing" : "a number is expected here, the \(name)\(hint)",
                at: place
            )
        }
        return number
    }

    /// What else may have been meant by the next character.
    private var hint: String {
        guard position < end else { return "" }
        switch bytes[position] {
        case UInt8(ascii: "?"): return "; write * for Quartz's ?"
        case UInt8(ascii: "L"), UInt8(ascii: "l"), UInt8(ascii: "W"), UInt8(ascii: "w"), UInt8(ascii: "#"):
            return "; a calendar expression counts from the month's end: *-*~1, Fri *-*~7/1"
        default: return ""
        }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private func error(_ reason: String, at place: Int? = nil) -> CalendarError {
        CalendarError(text: text, offset: place ?? position, reason: reason, notation: .cron)
    }
}

extension CalendarComponent {
    fileprivate var numbers: StrideThrough<Int> { stride(from: start, through: stop ?? start, by: max(step, 1)) }

    /// A bit for each weekday, Monday being the lowest, of numbers in which Sunday is 0 and 7.
    fileprivate var weekdays: UInt8 { numbers.reduce(0) { $0 | 1 << UInt8(($1 + 6) % 7) } }
}
