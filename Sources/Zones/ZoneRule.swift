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

    private func isOn(_ daylightSaving: DaylightSaving, at time: Int64) -> Bool {
        // The year is that of standard time. A change is looked for only in its own year, as the C library does.
        let year = CivilDate(daysSince1970: (time + standard.offset).flooredQuotient(86_400)).year
        let start = daylightSaving.start.time(in: year) - standard.offset
        let end = daylightSaving.end.time(in: year) - daylightSaving.type.offset
        // South of the equator it spans the turn of the year.
        return start < end ? start <= time && time < end : !(end <= time && time < start)
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
