/// A day of the Gregorian calendar, continued into the past.
struct CivilDate: Equatable {
    var year: Int
    /// From one.
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The calendar repeats every 400 years, which are counted here from a March 1, so that the leap day comes last.
    init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = Int(shifted - era * 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days and months out of their range count on into the next or the last month or year.
    var daysSince1970: Int64 {
        let monthsFromZero = Int64(year) * 12 + Int64(month) - 1
        let wholeYear = monthsFromZero.flooredQuotient(12)
        let month = monthsFromZero.flooredRemainder(12)
        let year = month < 2 ? wholeYear - 1 : wholeYear
        let era = year.flooredQuotient(400)
        let yearOfEra = year - era * 400
        let monthFromMarch = (month + 10) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468 + Int64(day) - 1
    }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func days(inMonth month: Int, of year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}

extension Int64 {
    /// Division that rounds down, before zero too.
    func flooredQuotient(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// What is left by ``flooredQuotient(_:)``, never negative.
    func flooredRemainder(_ divisor: Int64) -> Int64 { self - flooredQuotient(divisor) * divisor }
}
