/// A parsed calendar expression. An empty list stands for `*`.
struct CalendarExpression: Sendable {
    enum Zone: Sendable, Hashable {
        case local
        /// Local time, but only while it is, or is not, daylight-saving time.
        case localDaylightSaving(Bool)
        case utc
        case named(ZoneInfo)
    }

    /// A bit for each weekday, Monday being the lowest; nil for all.
    var weekdays: UInt8?
    var years: [CalendarComponent] = []
    var months: [CalendarComponent] = []
    var days: [CalendarComponent] = []
    /// Days count from the month's end.
    var countsFromEndOfMonth = false
    /// A day fits by its weekday or by its number, as in a cron expression that restricts both; otherwise by both.
    var matchesEitherDay = false
    var hours: [CalendarComponent] = []
    var minutes: [CalendarComponent] = []
    var microseconds: [CalendarComponent] = []
    var zone = Zone.local

    static var everyWeekday: UInt8 { 0b111_1111 }
}

extension CalendarExpression {
    /// The same times in the normal form.
    var normalized: CalendarExpression {
        var result = self
        if let weekdays, weekdays == 0 || weekdays == Self.everyWeekday { result.weekdays = nil }
        if days.isEmpty { result.countsFromEndOfMonth = false }
        result.years =
            years.map { component in
                var component = component
                component.start = Self.fullYear(component.start)
                component.stop = component.stop.map(Self.fullYear)
                return component
            }.normalized
        result.months = months.normalized
        result.days = days.normalized
        result.hours = hours.normalized
        result.minutes = minutes.normalized
        result.microseconds = microseconds.normalized
        return result
    }

    /// 0 to 69 mean this century, 70 to 99 the last one.
    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 0..<70: year + 2000
        case 70..<100: year + 1900
        default: year
        }
    }
}

/// One element of a list in a calendar expression: `5`, `5..10`, `5/2` or `5..10/2`. Seconds are in microseconds.
struct CalendarComponent: Sendable {
    var start: Int
    /// The last number of a range; nil for a single number, and for one that is repeated without end.
    var stop: Int?
    /// The step, or zero.
    var step = 0
    /// Where it begins in the text, for error messages.
    var place = 0

    static var microsecondsPerSecond: Int { 1_000_000 }

    private var key: (Int, Int, Int) { (start, stop ?? -1, step) }

    static func precedes(_ a: CalendarComponent, _ b: CalendarComponent) -> Bool { a.key < b.key }

    static func isSame(_ a: CalendarComponent, _ b: CalendarComponent) -> Bool { a.key == b.key }

    /// The same numbers, written in the shortest way.
    var normalized: CalendarComponent {
        var result = self
        guard let stop else { return result }
        if stop > start, step > 0 { result.stop = stop - (stop - start) % step }
        if let stop = result.stop, stop == start || stop > start && step > 0 && start + step > stop {
            result.stop = nil
            result.step = 0
        }
        return result
    }
}

extension [CalendarComponent] {
    /// Sorted, without repetitions.
    var normalized: [CalendarComponent] {
        var result: [CalendarComponent] = []
        for component in map(\.normalized).sorted(by: CalendarComponent.precedes) {
            if let last = result.last, CalendarComponent.isSame(last, component) { continue }
            result.append(component)
        }
        return result
    }
}

/// The words that stand for a whole expression.
enum CalendarShorthand {
    static let fields: [String: CalendarExpression] = {
        let minutely = CalendarExpression(microseconds: [CalendarComponent(start: 0)])
        var hourly = minutely
        hourly.minutes = [CalendarComponent(start: 0)]
        var daily = hourly
        daily.hours = [CalendarComponent(start: 0)]
        var weekly = daily
        weekly.weekdays = 1
        func starting(_ months: [Int]) -> CalendarExpression {
            var result = daily
            result.days = [CalendarComponent(start: 1)]
            result.months = months.map { CalendarComponent(start: $0) }
            return result
        }
        let (yearly, halfYearly) = (starting([1]), starting([1, 7]))
        return [
            "minutely": minutely, "hourly": hourly, "daily": daily, "weekly": weekly, "monthly": starting([]),
            "quarterly": starting([1, 4, 7, 10]),
            "yearly": yearly, "annually": yearly, "anually": yearly,
            "biannually": halfYearly, "bi-annually": halfYearly,
            "semiannually": halfYearly, "semi-annually": halfYearly,
        ]
    }()
}
