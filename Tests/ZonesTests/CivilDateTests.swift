import Testing

@testable import Zones

@Suite("Dates")
struct CivilDateTests {
    @Test("every day from year 1 to 9999 keeps its date")
    func days() {
        var last = CivilDate(year: 0, month: 12, day: 31)
        #expect(last.daysSince1970 == -719_163)
        for days in Int64(-719_162)...2_932_896 {
            let date = CivilDate(daysSince1970: days)
            let isNext =
                date.day == last.day + 1 && (date.year, date.month) == (last.year, last.month)
                || date.day == 1 && last.day == CivilDate.days(inMonth: last.month, of: last.year)
            guard date.daysSince1970 == days, date.exists, isNext else {
                Issue.record("day \(days) is \(date)")
                return
            }
            last = date
        }
        #expect(last == CivilDate(year: 9999, month: 12, day: 31))
    }

    @Test("months and days out of their range carry over")
    func outOfRange() {
        #expect(
            CivilDate(year: 2024, month: 14, day: 31).daysSince1970
                == CivilDate(year: 2025, month: 3, day: 3).daysSince1970
        )
        #expect(
            CivilDate(year: 2024, month: 0, day: 0).daysSince1970
                == CivilDate(year: 2023, month: 11, day: 30).daysSince1970
        )
        for date in [(2023, 2, 29), (2024, 13, 1), (2024, 0, 1), (2024, 4, 31), (2024, 1, 0)] {
            #expect(!CivilDate(year: date.0, month: date.1, day: date.2).exists)
        }
    }

    @Test("division rounds down")
    func division() {
        for number in Int64(-20)...20 {
            let (quotient, remainder) = number.flooredQuotientAndRemainder(dividingBy: 7)
            #expect(quotient * 7 + remainder == number && (0..<7).contains(remainder))
        }
    }
}
