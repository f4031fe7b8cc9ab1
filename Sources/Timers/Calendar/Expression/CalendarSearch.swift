import Zones

/// Looks for the next time that fits an expression, in the zone's local time.
///
/// It takes the same steps as systemd, so that it finds the same times when the clocks change: a time that the clocks
/// skip in spring is left out, and of a time that they show twice in autumn the first occurrence counts. (Where the
/// clocks skip midnight, systemd 252 gives up on some expressions; this goes on.)
struct CalendarSearch {
    private let expression: CalendarExpression
    /// The required state of daylight-saving time; nil when it does not matter.
    private let demanded: Bool?
    private var calendar: LocalCalendar
    private var time = LocalTime()

    private enum Found { case same, changed, none }
    private enum Bounds { case within, moved, outside }

    init(_ expression: CalendarExpression, in zone: ZoneInfo) {
        self.expression = expression
        calendar = LocalCalendar(zone: zone)
        if case .localDaylightSaving(let isOn) = expression.zone { demanded = isOn } else { demanded = nil }
    }

    /// - Parameter microseconds: since 1970.
    /// - Returns: the first time after that, or nil when none comes before 2200.
    mutating func next(after microseconds: Int64) -> Int64? {
        guard microseconds < Self.end else { return nil }
        let found = search(from: microseconds + 1)
        // Where daylight-saving time is demanded and has ended, the search may lead back. Then there are no more
        // times, as in systemd.
        return found.flatMap { $0 > microseconds ? $0 : nil }
    }

    /// The year 2200.
    private static var end: Int64 { 7_258_118_400 * Int64(CalendarComponent.microsecondsPerSecond) }

    private mutating func search(from start: Int64) -> Int64? {
        let unit = Int64(CalendarComponent.microsecondsPerSecond)
        time = calendar.localTime(at: start.flooredQuotient(unit))
        time.microsecond = Int(start.flooredRemainder(unit))
        guard find() else { return nil }
        let seconds = calendar.seconds(time, demanded)
        return seconds < 0 ? nil : seconds * unit + Int64(time.microsecond)
    }

    private mutating func find() -> Bool {
        // Each round settles a field or moves on to the next year, month and so on; systemd gives up after as many.
        for _ in 0..<1000 {
            time = calendar.normalized(time, time.isDaylightSaving)
            time.isDaylightSaving = demanded

            switch match(expression.years, \.year) {
            case .none: return false
            case .changed: time.reset(below: .year)
            case .same: break
            }
            if checkBounds() != .within { return false }

            switch settle(expression.months, \.month, .month) {
            case .outside: advance(\.year, .year); continue
            case .moved: continue
            case .within: break
            }
            switch settle(expression.days, \.day, .day) {
            case .outside: advance(\.month, .month); continue
            case .moved: continue
            case .within: break
            }
            if !matchesWeekday() { advance(\.day, .day); continue }
            switch settle(expression.hours, \.hour, .hour) {
            case .outside: advance(\.day, .day); continue
            case .moved: continue
            case .within: break
            }
            switch settle(expression.minutes, \.minute, .minute) {
            case .outside: advance(\.hour, .hour); continue
            case .moved: continue
            case .within: break
            }
            switch settleSeconds() {
            case .outside: advance(\.minute, .minute); continue
            case .moved: continue
            case .within: return true
            }
        }
        return false
    }

    private mutating func advance(_ field: WritableKeyPath<LocalTime, Int>, _ unit: LocalTime.Unit) {
        time[keyPath: field] += 1
        time.reset(below: unit)
    }

    private mutating func settle(
        _ components: [CalendarComponent],
        _ field: WritableKeyPath<LocalTime, Int>,
        _ unit: LocalTime.Unit
    ) -> Bounds {
        let found = match(components, field)
        if found == .changed { time.reset(below: unit) }
        return found == .none ? .outside : checkBounds()
    }

    private mutating func settleSeconds() -> Bounds {
        let unit = CalendarComponent.microsecondsPerSecond
        time.second = time.second * unit + time.microsecond
        let found = match(expression.microseconds, \.second)
        time.microsecond = time.second % unit
        time.second /= unit
        return found == .none ? .outside : checkBounds()
    }

    /// Moves the field on to the next number that fits.
    private mutating func match(_ components: [CalendarComponent], _ field: WritableKeyPath<LocalTime, Int>) -> Found {
        guard !components.isEmpty else { return .same }
        let value = time[keyPath: field]
        let fromEnd = expression.countsFromEndOfMonth && field == \LocalTime.day
        var best: Int?
        for component in components {
            let (start, stop) = fromEnd ? fromEndOfMonth(component) : (component.start, component.stop)
            if start >= value {
                best = min(best ?? start, start)
            } else if component.step > 0 {
                let candidate = start + (value - start + component.step - 1) / component.step * component.step
                if candidate <= stop ?? .max { best = min(best ?? candidate, candidate) }
            }
        }
        guard let best else { return .none }
        time[keyPath: field] = best
        return best == value ? .same : .changed
    }

    private func fromEndOfMonth(_ component: CalendarComponent) -> (start: Int, stop: Int?) {
        let last = CivilDate.days(inMonth: time.month, of: time.year)
        func day(_ number: Int) -> Int { number <= last ? last + 1 - number : -1 }
        let start = day(component.start)
        // Counting from the end, the later of two numbers comes first.
        guard let stop = component.stop.map(day), stop > 0 else { return (start, nil) }
        return (stop, start)
    }

    private mutating func matchesWeekday() -> Bool {
        guard let weekdays = expression.weekdays else { return true }
        let date = CivilDate(year: time.year, month: time.month, day: time.day)
        return weekdays & 1 << UInt8((date.daysSince1970 + 3).flooredRemainder(7)) != 0
    }

    /// Whether the clocks show such a time. When they do not, the time that they show instead is tried next.
    private mutating func checkBounds() -> Bounds {
        guard time.year <= 2199, calendar.seconds(time, demanded) >= 0 else { return .outside }
        var shown = calendar.normalized(time, demanded)
        shown.isDaylightSaving = demanded
        switch shown.settle(against: time) {
        case .same: return .within
        case .before: return .outside
        case .after:
            shown.microsecond = time.microsecond
            time = shown
            return .moved
        }
    }
}
