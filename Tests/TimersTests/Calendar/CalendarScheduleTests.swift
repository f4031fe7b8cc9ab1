import TestSupport
import Testing
import Timers

@Suite("Calendar schedules")
struct CalendarScheduleTests {
    @Test("the normal form gives the same schedule again")
    func normalFormIsStable() throws {
        let zone = try ZoneInfo(named: "America/New_York")
        var checked = 0
        for entry in try RecordedCalendar.all() {
            guard let schedule = try? CalendarSchedule(entry.expression, local: zone) else { continue }
            checked += 1
            let again = try CalendarSchedule(schedule.description, local: zone)
            if again != schedule || again.description != schedule.description {
                Issue.record("\(entry.expression) became \(schedule), and that \(again)")
            }
        }
        #expect(checked > 800)
    }

    @Test(
        "a malformed expression is refused with the place of the error",
        arguments: [
            ("Mon..Fri 25:00", 9, "hour is not in the range of 0 to 23"),
            ("Mond 8:00", 0, "no such weekday"),
            ("Fri..Mon 8:00", 8, "ends before it begins"),
            ("Mon.. 8:00", 5, "no end"),
            ("2026-13-01", 5, "month is not in the range of 1 to 12"),
            ("*-*~29", 4, "1 to 28 when counted from the month's end"),
            ("*-*-* 8:00 Mars/Olympus", 10, "end, or a colon"),
            ("8:00:60", 5, "second is not in the range of 0 to 59"),
            ("8:0/0", 4, "step of zero"),
            ("8:0/61", 2, "step is too long"),
            ("8:5..3", 2, "ends before it begins"),
            ("8", 1, "colon"),
            ("8:", 2, "minute is missing"),
            ("", 0, "expected a day"),
            (" UTC", 0, "expected a day"),
            ("@12x", 3, "digits"),
            ("99999999999999999999-1-1", 0, "too large"),
            ("8:00:0..0.5", 5, "needs a step"),
            ("ä 8:00", 0, "number is expected"),
        ]
    )
    func refusesWithPlace(text: String, offset: Int, reason: String) {
        let error = #expect(throws: CalendarError.self) { try CalendarSchedule(text, local: .utc) }
        #expect(error?.offset == offset, "\(error?.description ?? "")")
        #expect(error?.reason.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("an error message shows the expression and marks the place")
    func complaint() throws {
        let error = #expect(throws: CalendarError.self) { try CalendarSchedule("Mon..Fri 25:00", local: .utc) }
        #expect(
            error?.description == """
                cannot understand the calendar expression: the hour is not in the range of 0 to 23
                  Mon..Fri 25:00
                           ^
                see systemd.time(7), "Calendar Events"
                """
        )
    }

    @Test("random bytes are parsed or refused, and parsed ones yield increasing times")
    func survivesAnything() {
        var random = SeededGenerator(12)
        let words = [
            "Mon", "tue", "Fri..Sun", "*", "*-*-", "1", "5", "12", "2030", "/", ":", ":", "..", ",", "~", "-", " ",
            " UTC", "@", "ä",
        ]
        let rounds = Stress.rounds(3_000, stress: 10_000)
        var (understood, recurring) = (0, 0)
        for _ in 0..<rounds {
            let length = Int.random(in: 0..<9, using: &random)
            let text = (0..<length).map { _ in words.randomElement(using: &random) ?? "" }.joined()
            guard let schedule = try? CalendarSchedule(text, local: .utc) else { continue }
            understood += 1
            let times = Array(
                schedule.occurrences(after: TimerInstant(nanoseconds: 1_700_000_000_000_000_000)).prefix(3)
            )
            if times.count == 3 { recurring += 1 }
            if !zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) { Issue.record("\(text): \(times)") }
        }
        #expect(understood > rounds / 100)
        #expect(recurring > rounds / 200)
    }

    @Test("the ends of the clock's range do not trap", arguments: [Int64.min, -1, 0, 7_258_118_399_999_999_999, .max])
    func ends(nanoseconds: Int64) throws {
        let schedule = try CalendarSchedule("*:*:0/10", local: .utc)
        let instant = TimerInstant(nanoseconds: nanoseconds)
        let next = schedule.next(after: instant)
        if nanoseconds < 1_000_000_000_000 {
            #expect(next.map { $0 > instant } == true)
        } else {
            #expect(next == nil)
        }
    }

    @Test("a schedule without a further time yields nil", arguments: ["*-2-30", "2020-1-1", "2199-12-31 23:59:59"])
    func never(text: String) throws {
        let schedule = try CalendarSchedule(text, local: .utc)
        #expect(schedule.next(after: TimerInstant(nanoseconds: 7_258_118_399_000_000_000)) == nil)
    }

    @Test("a fraction of a second is exact to the microsecond")
    func fractions() throws {
        let schedule = try CalendarSchedule("*:*:0.25/0.5", local: .utc)
        let base = TimerInstant(nanoseconds: 1_700_000_000_000_000_000)
        let times = schedule.occurrences(after: base).prefix(3).map { ($0.nanoseconds - base.nanoseconds) / 1000 }
        #expect(times == [250_000, 750_000, 1_250_000])
    }

    @Test("zones: read by name, by path, by rule; refused with the reason")
    func zones() throws {
        #expect(try ZoneInfo(named: "UTC") == .utc)
        #expect(try ZoneInfo(named: "Europe/Berlin").description == "Europe/Berlin")
        for name in ["Mars/Olympus", "../etc/passwd", "/etc/localtime", "Europe/", "", "Europe", "tzdata.zi"] {
            let error = #expect(throws: ZoneError.self) { try ZoneInfo(named: name) }
            #expect(error?.description.isEmpty == false)
        }
    }
}
