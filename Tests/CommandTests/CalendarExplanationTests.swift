import Foundation
import Testing
import Timers

@testable import busctl_rx

@Suite("explain --calendar")
struct CalendarExplanationTests {
    /// 2026-03-27 12:00 UTC, a Friday.
    private static let now = TimerInstant(nanoseconds: 1_774_612_800_000_000_000)

    private func text(_ schedule: CalendarSchedule, _ original: String, _ count: Int, in zone: String) throws -> String
    {
        let local = try ZoneInfo(named: zone)
        return CalendarExplanation(schedule, original: original, count: count, now: Self.now, local: local).text
    }

    @Test("the normal form, and each time in local time, in UTC and from now")
    func plain() throws {
        let expression = "Mon..Fri 09:00 Europe/Berlin"
        #expect(
            try text(CalendarSchedule(expression), expression, 2, in: "Europe/Berlin") == """
                  Original form: Mon..Fri 09:00 Europe/Berlin
                Normalized form: Mon..Fri *-*-* 09:00:00 Europe/Berlin
                    Next elapse: Mon 2026-03-30 09:00:00 CEST
                       (in UTC): Mon 2026-03-30 07:00:00 UTC
                       From now: 2 days 19h left
                   Iteration #2: Tue 2026-03-31 09:00:00 CEST
                       (in UTC): Tue 2026-03-31 07:00:00 UTC
                       From now: 3 days 19h left

                """
        )
    }

    @Test("the calendar's own zone where it is not the local one; no line twice")
    func zones() throws {
        let expression = "*-*-* 09:00:00 Asia/Tokyo"
        #expect(
            try text(CalendarSchedule(expression), expression, 1, in: "UTC") == """
                Normalized form: *-*-* 09:00:00 Asia/Tokyo
                    Next elapse: Sat 2026-03-28 00:00:00 UTC
                (in Asia/Tokyo): Sat 2026-03-28 09:00:00 JST
                       From now: 12h left

                """
        )
    }

    @Test("a skipped time is listed before the time that follows, and says whether it comes after the change")
    func skipped() throws {
        let expression = "*-*-* 02:30:00 Europe/Berlin"
        let skipping = try text(CalendarSchedule(expression), expression, 2, in: "UTC")
        #expect(
            skipping == """
                   Normalized form: *-*-* 02:30:00 Europe/Berlin
                       Next elapse: Sat 2026-03-28 01:30:00 UTC
                (in Europe/Berlin): Sat 2026-03-28 02:30:00 CET
                          From now: 13h 30min left
                           Skipped: Sun 2026-03-29 02:30:00: the clocks go from 02:00:00 to 03:00:00
                      Iteration #2: Mon 2026-03-30 00:30:00 UTC
                (in Europe/Berlin): Mon 2026-03-30 02:30:00 CEST
                          From now: 2 days 12h left

                """
        )
        let cron = "0,30 2 * * * Europe/Berlin"
        let running = try text(CalendarSchedule(cron: cron), cron, 3, in: "Europe/Berlin")
        #expect(
            running.contains(
                """
                        Skipped: Sun 2026-03-29 02:00:00 and later ones: the clocks go from 02:00:00 to 03:00:00, and it comes then
                   Iteration #3: Sun 2026-03-29 03:00:00 CEST
                """
            )
        )
    }

    @Test("repeated times are marked, whether they come once or twice")
    func repeated() throws {
        let expression = "2026-10-25 02:30:00"
        let berlin = try ZoneInfo(named: "Europe/Berlin")
        let once = try CalendarSchedule(expression, local: berlin)
        #expect(try text(once, expression, 5, in: "Europe/Berlin").contains("02:30:00 CEST, the first of two\n"))
        let twice = try CalendarSchedule(expression, local: berlin, repeatedTimes: .both)
        let both = try text(twice, expression, 5, in: "Europe/Berlin")
        #expect(both.contains("Next elapse: Sun 2026-10-25 02:30:00 CEST, the first of two\n"))
        #expect(both.contains("Iteration #2: Sun 2026-10-25 02:30:00 CET, the second of two\n"))
        #expect(!both.contains("Iteration #3"))
    }

    @Test("what never comes, and why")
    func never() throws {
        let berlin = try ZoneInfo(named: "Europe/Berlin")
        let gone = "2026-03-29 02:30:00"
        #expect(
            try text(CalendarSchedule(gone, local: berlin), gone, 3, in: "Europe/Berlin") == """
                Normalized form: 2026-03-29 02:30:00
                        Skipped: Sun 2026-03-29 02:30:00: the clocks go from 02:00:00 to 03:00:00
                    Next elapse: never

                """
        )
        // Every year has such a day; as many are listed as times are asked for.
        let always = try text(CalendarSchedule("Sun *-3-25..31 2:30", local: berlin), "", 2, in: "Europe/Berlin")
        #expect(always.components(separatedBy: "Skipped").count == 3 && always.hasSuffix("Next elapse: never\n"))
        let day = try text(CalendarSchedule("*-02-30 00:00:00", local: .utc), "*-02-30 00:00:00", 2, in: "UTC")
        #expect(day == "Normalized form: *-02-30 00:00:00\n    Next elapse: never\n")
    }

    @Test("a change of a day names the days, fractions and long times are shown")
    func extremes() throws {
        let apia = try ZoneInfo(named: "Pacific/Apia")
        let start = TimerInstant(nanoseconds: 1_325_138_400_000_000_000)
        let schedule = try CalendarSchedule("12:00", local: apia)
        let text = CalendarExplanation(schedule, original: "", count: 3, now: start, local: apia).text
        #expect(
            text.contains(
                "Fri 2011-12-30 12:00:00: the clocks go from Fri 2011-12-30 00:00:00 to Sat 2011-12-31 00:00:00"
            )
        )
        let fraction = try self.text(CalendarSchedule("12:00:0.25 UTC"), "", 1, in: "UTC")
        #expect(fraction.contains("Fri 2026-03-27 12:00:00.250000 UTC\n       From now: less than 1s left\n"))
        let far = try self.text(CalendarSchedule("2199-12-31 UTC"), "", 1, in: "UTC")
        #expect(far.contains("From now: 173 years 320 days left\n"))
    }
}
