import Zones

/// The local times of an expression, in a form that is quick to search: a bit for each number that fits.
///
/// Local times are counted in microseconds since 1970, as if the clocks showed UTC. The zone has no part in it.
struct CalendarFields: Sendable {
    private let years: [CalendarComponent]
    private let months: UInt64
    /// Counted from the month's end in an expression with `~`.
    private let days: UInt64
    private let countsFromEndOfMonth: Bool
    /// The weekdays of nine weeks, from a Monday on; nil for all.
    private let weekdays: UInt64?
    private let matchesEitherDay: Bool
    private let hours: UInt64
    private let minutes: UInt64
    private let microseconds: [CalendarComponent]
    /// The first time of a day.
    private var firstTime: Int64 = 0

    /// The year 2200, before which all times are.
    static var end: Int64 { 7_258_118_400 * Int64(CalendarComponent.microsecondsPerSecond) }

    static var microsecondsPerDay: Int64 { 86_400 * Int64(CalendarComponent.microsecondsPerSecond) }
    private static var lastYear: Int { 2199 }
    private static var microsecondsPerMinute: Int64 { 60 * Int64(CalendarComponent.microsecondsPerSecond) }

    init(_ expression: CalendarExpression) {
        years = expression.years
        months = expression.months.bits(in: 1...12)
        days =
            expression.countsFromEndOfMonth ? expression.days.bitsFromEnd : expression.days.bits(in: 1...31)
        countsFromEndOfMonth = expression.countsFromEndOfMonth
        weekdays = expression.weekdays.map { week in (0..<9).reduce(0) { $0 | UInt64(week) << (7 * $1) } }
        matchesEitherDay = expression.matchesEitherDay
        hours = expression.hours.bits(in: 0...23)
        minutes = expression.minutes.bits(in: 0...59)
        microseconds = expression.microseconds
        firstTime = time(from: 0) ?? 0
    }

    /// The first of these times that is not before `local`; nil when none comes before 2200.
    func next(from local: Int64) -> Int64? {
        let (number, time) = local.flooredQuotientAndRemainder(dividingBy: Self.microsecondsPerDay)
        let date = CivilDate(daysSince1970: number)
        var (year, month, day) = (date.year, date.month, date.day)
        guard let first = self.year(from: year) else { return nil }
        if first == year, months & 1 << UInt64(month) != 0, days(of: year, month) & 1 << UInt64(day) != 0,
            let time = self.time(from: time)
        {
            return number * Self.microsecondsPerDay + time
        }
        // Otherwise it is the first time of a later day.
        (year, month, day) = first == year ? (year, month, day + 1) : (first, 1, 1)
        while true {
            while let next = months.firstBit(from: month) {
                if next != month { (month, day) = (next, 1) }
                if let day = days(of: year, month).firstBit(from: day) {
                    let number = CivilDate(year: year, month: month, day: day).daysSince1970
                    return number * Self.microsecondsPerDay + firstTime
                }
                (month, day) = (month + 1, 1)
            }
            guard let next = self.year(from: year + 1) else { return nil }
            (year, month, day) = (next, 1, 1)
        }
    }

    private func year(from year: Int) -> Int? {
        guard !years.isEmpty else { return year <= Self.lastYear ? year : nil }
        return years.first(from: year, to: Self.lastYear)
    }

    /// The days of a month that fit.
    private func days(of year: Int, _ month: Int) -> UInt64 {
        let count = CivilDate.days(inMonth: month, of: year)
        let all = UInt64(2) << UInt64(count) - 2
        let days = (countsFromEndOfMonth ? days.reversed(upTo: count) : self.days) & all
        guard let weekdays else { return days }
        // 1970 began on a Thursday.
        let first = (CivilDate(year: year, month: month, day: 1).daysSince1970 + 3).flooredRemainder(7)
        let fitting = (weekdays >> UInt64(first)) << 1 & all
        return matchesEitherDay ? days | fitting : days & fitting
    }

    /// The first time of the day that is not before `time`, in microseconds since midnight.
    private func time(from time: Int64) -> Int64? {
        let (minuteOfDay, rest) = time.quotientAndRemainder(dividingBy: Self.microsecondsPerMinute)
        var (hour, minute) = (Int(minuteOfDay) / 60, Int(minuteOfDay) % 60)
        var microsecond = second(from: Int(rest))
        if microsecond == nil {
            minute += 1
            microsecond = second(from: 0)
        }
        guard let first = hours.firstBit(from: hour) else { return nil }
        if first == hour, let next = minutes.firstBit(from: minute) {
            if next != minute { microsecond = second(from: 0) }
            minute = next
        } else {
            guard let next = hours.firstBit(from: hour + (first == hour ? 1 : 0)) else { return nil }
            (hour, minute, microsecond) = (next, minutes.trailingZeroBitCount, second(from: 0))
        }
        return microsecond.map { Int64(hour * 60 + minute) * Self.microsecondsPerMinute + Int64($0) }
    }

    private func second(from microsecond: Int) -> Int? {
        microseconds.first(from: microsecond, to: Int(Self.microsecondsPerMinute) - 1)
    }
}

extension UInt64 {
    /// The number of the first bit that is set, from one on.
    fileprivate func firstBit(from number: Int) -> Int? {
        let rest = self >> UInt64(number)
        return rest == 0 ? nil : number + rest.trailingZeroBitCount
    }

    /// The days of a month with `count` days, of numbers that count from its end.
    fileprivate func reversed(upTo count: Int) -> UInt64 {
        var (result, rest) = (UInt64(0), self)
        while rest != 0 {
            let number = rest.trailingZeroBitCount
            if number <= count { result |= 1 << UInt64(count + 1 - number) }
            rest &= rest - 1
        }
        return result
    }
}

extension [CalendarComponent] {
    /// A bit for each number of the list; all for `*`.
    fileprivate func bits(in range: ClosedRange<Int>) -> UInt64 {
        guard !isEmpty else { return range.reduce(0) { $0 | 1 << UInt64($1) } }
        return reduce(0) { bits, component in
            let last = component.step == 0 ? component.start : Swift.min(component.stop ?? .max, range.upperBound)
            return stride(from: component.start, through: last, by: Swift.max(component.step, 1))
                .reduce(bits) { $0 | 1 << UInt64($1) }
        }
    }

    /// The same of days that count from the month's end. Of two such numbers, the greater one comes first in the month,
    /// so that steps go down.
    fileprivate var bitsFromEnd: UInt64 {
        reduce(0) { bits, component in
            let last = component.stop != nil || component.step == 0 ? component.start : 1
            return stride(from: component.stop ?? component.start, through: last, by: -Swift.max(component.step, 1))
                .reduce(bits) { $0 | 1 << UInt64($1) }
        }
    }

    /// The least number of the list from `value` to `limit`.
    fileprivate func first(from value: Int, to limit: Int) -> Int? {
        var best: Int?
        for component in self {
            var candidate = component.start
            if candidate < value {
                guard component.step > 0 else { continue }
                candidate += (value - candidate + component.step - 1) / component.step * component.step
                guard candidate <= component.stop ?? limit else { continue }
            }
            best = Swift.min(best ?? candidate, candidate)
        }
        return best
    }
}
