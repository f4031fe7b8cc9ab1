import TestSupport
import Testing
import Timers

@Suite("Cron schedules")
struct CronScheduleTests {
    @Test(
        "the normal form is systemd's",
        arguments: [
            ("*/5 9-17 * * 1-5", "Mon..Fri *-*-* 09..17:00/5:00"), ("0 0 * * *", "*-*-* 00:00:00"),
            ("30 4 1,15 * *", "*-*-01,15 04:30:00"), ("* * * * *", "*-*-* *:*:00"), ("0 0 * * 7", "Sun *-*-* 00:00:00"),
            ("0 0 * * 0", "Sun *-*-* 00:00:00"), ("0 0 * * fri-sun", "Fri..Sun *-*-* 00:00:00"),
            ("0 0 * * 5-0", "Fri..Sun *-*-* 00:00:00"), ("0 0 * feb-APR/2 *", "*-02..04/2-* 00:00:00"),
            ("0 */31 * * *", nil), ("0 */23 * * *", "*-*-* 00/23:00:00"), ("0 1-5/10 * * *", "*-*-* 01:00:00"),
            ("0 5-5 * * *", "*-*-* 05:00:00"),
            ("0 0 13 * fri", "Fri *-*-* 00:00:00 or *-*-13 00:00:00"), ("0 0 */2 * 1", "Mon *-*-01/2 00:00:00"),
            ("0 0 1-31 * 1", "*-*-* 00:00:00"), ("0 0 13 * 0-6", "*-*-* 00:00:00"), ("0 0 13 * 0-7", "*-*-* 00:00:00"),
            ("@weekly", "Sun *-*-* 00:00:00"), ("*/1 */1 */1 */1 */1", "*-*-* *:*:00"),
            ("@Daily UTC", "*-*-* 00:00:00 UTC"), ("@hourly", "*-*-* *:00:00"),
            (" 0\t9  * *   1-5  Europe/Berlin ", "Mon..Fri *-*-* 09:00:00 Europe/Berlin"),
            ("0 0 13 * 5 Asia/Tokyo", "Fri *-*-* 00:00:00 Asia/Tokyo or *-*-13 00:00:00 Asia/Tokyo"),
        ]
    )
    func normalForms(cron: String, normalForm: String?) throws {
        let schedule = try? CalendarSchedule(cron: cron, local: .utc)
        #expect(schedule?.description == normalForm)
        guard let normalForm, !normalForm.contains(" or ") else { return }
        // Read as systemd's notation, it has the same times.
        let again = try CalendarSchedule(normalForm, local: .utc)
        let base = TimerInstant(nanoseconds: 1_700_000_000_000_000_000)
        let times = schedule?.occurrences(after: base).prefix(50)
        #expect(times?.elementsEqual(again.occurrences(after: base).prefix(50)) == true)
    }

    @Test(
        "a malformed expression is refused with the place of the mistake",
        arguments: [
            ("60 * * * *", 0, "minute is not in the range of 0 to 59"),
            ("* 24 * * *", 2, "hour is not in the range of 0 to 23"),
            ("* * 0 * *", 4, "day of the month is not in the range of 1 to 31"),
            ("* * * 13 *", 6, "month is not in the range of 1 to 12"),
            ("* * * * 8", 8, "weekday is not in the range of 0 to 7"),
            ("* * * * 1,2,8", 12, "weekday is not in the range"),
            ("0 0 * * fry", 8, "a number is expected here, the weekday"),
            ("0 0 * * friday", 8, "a number is expected here, the weekday"),
            ("0 0 * mon *", 6, "a number is expected here, the month"),
            ("*/0 * * * *", 2, "step of zero"), ("*/60 * * * *", 2, "step is too large"),
            ("*/ * * * *", 2, "step is missing"), ("*/x * * * *", 2, "a number is expected here, the step"),
            ("5/15 * * * *", 1, "write 5-59/… for steps"), ("0 17-9 * * *", 5, "ends before it begins"),
            ("1- * * * *", 2, "minute is missing"), ("1,,2 * * * *", 2, "a number is expected here"),
            ("1, * * * *", 2, "minute is missing"), ("1-5-9 * * * *", 3, "this cannot follow"),
            ("*5 * * * *", 1, "this cannot follow"), ("0 0 ? * 1", 4, "write * for Quartz's ?"),
            ("0 0 L * *", 4, "counts from the month's end"), ("0 0 * * 5#2", 9, "counts from the month's end"),
            ("0 0 15W * *", 6, "counts from the month's end"), ("", 0, "minute is missing"),
            ("  ", 2, "minute is missing"),
            ("0 9 * *", 7, "weekday is missing"), ("0 0 9 * * 1", 10, "follows the five fields"),
            ("0 0 9 * * *", 10, "follows the five fields"), ("0 9 * * 1 Mars/Olympus", 10, "no time zone Mars/Olympus"),
            ("0 9 * * 1 UTC x", 14, "nothing comes after the zone"),
            ("CRON_TZ=UTC 0 9 * * 1", 0, "the zone comes last"),
            ("@reboot", 0, "not a time"), ("@every 5m", 0, "is an interval"),
            ("@fortnightly", 0, "write @annually, @daily"),
            ("@daily 0", 7, "follows the five fields"), ("99999999999999999999 * * * *", 0, "too large"),
            ("ä * * * *", 0, "a number is expected"), ("0 0 * * 1\n", 9, "this cannot follow"),
        ]
    )
    func refusesWithPlace(text: String, offset: Int, reason: String) {
        let error = #expect(throws: CalendarError.self) { try CalendarSchedule(cron: text, local: .utc) }
        #expect(error?.offset == offset, "\(error?.description ?? "")")
        #expect(error?.reason.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("an error message shows the expression and marks the place")
    func complaint() throws {
        let error = #expect(throws: CalendarError.self) { try CalendarSchedule(cron: "0 25 * * *", local: .utc) }
        #expect(
            error?.description == """
                cannot understand the cron expression: the hour is not in the range of 0 to 23
                  0 25 * * *
                    ^
                see crontab(5)
                """
        )
    }

    @Test("a list has at most 240 elements")
    func longList() throws {
        let list = Array(repeating: "1", count: 241).joined(separator: ",")
        let error = #expect(throws: CalendarError.self) { try CalendarSchedule(cron: "\(list),1 * * * *", local: .utc) }
        #expect(error?.reason.contains("longer than 240") == true)
        _ = try CalendarSchedule(cron: "\(list) * * * *", local: .utc)
    }

    @Test("only an expression without a zone needs the local one")
    func zones() throws {
        #expect(
            try CalendarSchedule(cron: "0 9 * * mon UTC") == CalendarSchedule("Mon 9:00 UTC", skippedTimes: .runAfter)
        )
        #expect(try CalendarSchedule(cron: "0 9 * * mon").description == "Mon *-*-* 09:00:00")
    }

    @Test("times of the day run after a change of the clocks and once, times of every hour go on as time passes")
    func clockChanges() throws {
        let berlin = try ZoneInfo(named: "Europe/Berlin")
        func times(_ cron: String, after seconds: Int64, _ count: Int) throws -> [Int64] {
            let start = TimerInstant(nanoseconds: seconds * 1_000_000_000)
            return try CalendarSchedule(cron: cron, local: berlin).occurrences(after: start).prefix(count)
                .map { ($0.nanoseconds / 1_000_000_000 - seconds) / 60 }
        }
        // From 2026-03-29 01:00 on, and from 2026-10-25 01:00 on; the clocks change at 60 and at 120 minutes.
        let (spring, autumn): (Int64, Int64) = (1_774_742_400, 1_792_882_800)
        #expect(try times("30 2 * * *", after: spring, 2) == [60, 60 + 23 * 60 + 30])
        #expect(try times("30 2 * * *", after: autumn, 2) == [90, 90 + 25 * 60])
        #expect(try times("30 * * * *", after: spring, 3) == [30, 90, 150])
        #expect(try times("30 * * * *", after: autumn, 4) == [30, 90, 150, 210])
        #expect(try times("*/30 2 * * *", after: spring, 2) == [24 * 60, 24 * 60 + 30])
        #expect(try times("*/30 2 * * *", after: autumn, 5) == [60, 90, 120, 150, 26 * 60])
    }

    @Test("random bytes are parsed or refused, and parsed ones yield increasing times")
    func survivesAnything() {
        var random = SeededGenerator(13)
        let words = ["*", "*", "1", "5", "31", "0", "/", "-", ",", "mon", "jan", "?", "ä", "\t"]
        let rounds = Stress.rounds(3_000, stress: 10_000)
        var understood = 0
        for _ in 0..<rounds {
            let fields = (0..<5).map { _ in
                guard random.chance(40) else { return "*" }
                return (0..<random.number(1..<4)).map { _ in words.randomElement(using: &random) ?? "" }.joined()
            }
            let text = fields.joined(separator: " ")
            guard let schedule = try? CalendarSchedule(cron: text, local: .utc) else { continue }
            understood += 1
            let start = TimerInstant(nanoseconds: 1_700_000_000_000_000_000)
            let times = Array(schedule.occurrences(after: start).prefix(3))
            if !zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) { Issue.record("\(text): \(times)") }
        }
        #expect(understood > rounds / 500)
    }
}
