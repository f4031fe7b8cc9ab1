/// The rule by which a zone's clocks change for ever: the `TZ` strings of POSIX, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
package struct ZoneRule: Sendable, Hashable {
    /// A day of the year and the seconds from its midnight, which may lie days away.
    struct Moment: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// 1 to 365; February 29 is never counted.
            case julian(Int)
            /// 0 to 365; February 29 is counted.
            case zeroBased(Int)
            /// The week 1 to 5, five being the last, whatever its number, and the weekday, Sunday being zero.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        var day: Day
        var seconds: Int64 = 7200
    }

    struct DaylightSaving: Sendable, Hashable {
        let type: TimeZone.LocalTimeType
        let start: Moment
        let end: Moment
    }

    let standard: TimeZone.LocalTimeType
    /// Nil where there is none.
    let daylightSaving: DaylightSaving?

    func type(at time: Int64) -> TimeZone.LocalTimeType {
        guard let daylightSaving, isOn(daylightSaving, at: time) else { return standard }
        return daylightSaving.type
    }

    func offset(at time: Int64) -> Int64 {
        guard let daylightSaving, isOn(daylightSaving, at: time) else { return standard.offset }
        return daylightSaving.type.offset
    }

    /// The period that includes a time. It ends with the year at the latest, see ``changes(of:near:)``.
    func period(at time: Int64, notBefore earliest: Int64) -> TimeZone.Period {
        guard let daylightSaving else {
            return TimeZone.Period(start: earliest, end: .max, offset: standard.offset, isDaylightSaving: false)
        }
        let changes = changes(of: daylightSaving, near: time)
        var (start, end) = (max(earliest, changes.firstSecond), changes.firstSecondOfNextYear)
        for change in [changes.start, changes.end] {
            if change <= time { start = max(start, change) } else { end = min(end, change) }
        }
        let type = changes.isOn(at: time) ? daylightSaving.type : standard
        return TimeZone.Period(start: start, end: end, offset: type.offset, isDaylightSaving: type.isDaylightSaving)
    }

    private func isOn(_ daylightSaving: DaylightSaving, at time: Int64) -> Bool {
        changes(of: daylightSaving, near: time).isOn(at: time)
    }

    /// The changes of the year that includes a time.
    private struct Changes {
        let year: Int
        let standardOffset: Int64
        let start: Int64
        let end: Int64

        // South of the equator daylight-saving time spans the turn of the year.
        func isOn(at time: Int64) -> Bool {
            start < end ? start <= time && time < end : !(end <= time && time < start)
        }

        var firstSecond: Int64 { CivilDate.firstDay(ofYear: year) * 86_400 - standardOffset }
        var firstSecondOfNextYear: Int64 { CivilDate.firstDay(ofYear: year + 1) * 86_400 - standardOffset }
    }

    /// The year is that of standard time. A change is looked for only in its own year, as the C library does.
    private func changes(of daylightSaving: DaylightSaving, near time: Int64) -> Changes {
        let year = CivilDate(daysSince1970: (time + standard.offset).flooredQuotient(86_400)).year
        return Changes(
            year: year,
            standardOffset: standard.offset,
            start: daylightSaving.start.time(in: year) - standard.offset,
            end: daylightSaving.end.time(in: year) - daylightSaving.type.offset
        )
    }
}

extension ZoneRule.Moment {
    /// Seconds since 1970 as the clocks show them just before the change.
    func time(in year: Int) -> Int64 {
        dayNumber(in: year) * 86_400 + seconds
    }

    private func dayNumber(in year: Int) -> Int64 {
        switch day {
        case .zeroBased(let number): return CivilDate.firstDay(ofYear: year) + Int64(number)
        case .julian(let number):
            let leapDay = CivilDate.isLeap(year) && number >= 60 ? 1 : 0
            return CivilDate.firstDay(ofYear: year) + Int64(number - 1 + leapDay)
        case .weekday(let month, let week, let weekday):
            let first = CivilDate(year: year, month: month, day: 1).daysSince1970
            let firstWeekday = Int((first + 4).flooredRemainder(7))
            var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            while day >= CivilDate.days(inMonth: month, of: year) { day -= 7 }
            return first + Int64(day)
        }
    }
}
