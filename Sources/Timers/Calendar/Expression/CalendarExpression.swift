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
