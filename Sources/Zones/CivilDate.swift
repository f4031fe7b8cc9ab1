/// A day of the Gregorian calendar, continued into the past.
package struct CivilDate: Equatable, Sendable {
    package var year: Int
    /// From one.
    package var month: Int
    package var day: Int

    /// The fields may be out of their ranges; see ``daysSince1970`` and ``exists``.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The calendar repeats every 400 years, which are counted here from a March 1, so that the leap day comes last.
    package init(daysSince1970 days: Int64) {
        let (era, rest) = (days + 719_468).flooredQuotientAndRemainder(dividingBy: 146_097)
        let dayOfEra = Int(rest)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days and months out of their range count on into the next or the last month or year.
    package var daysSince1970: Int64 {
        let (wholeYear, month) = (Int64(year) * 12 + Int64(month) - 1).flooredQuotientAndRemainder(dividingBy: 12)
        let yearFromMarch = month < 2 ? wholeYear - 1 : wholeYear
        let (era, yearOfEra) = yearFromMarch.flooredQuotientAndRemainder(dividingBy: 400)
        let monthFromMarch = (month + 10) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468 + Int64(day) - 1
    }

    /// Whether the calendar has that day.
    package var exists: Bool {
        (1...12).contains(month) && day >= 1 && day <= Self.days(inMonth: month, of: year)
    }

    /// The number of the year's January 1, counted from 1970-01-01.
    package static func firstDay(ofYear year: Int) -> Int64 {
        CivilDate(year: year, month: 1, day: 1).daysSince1970
    }

    package static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
