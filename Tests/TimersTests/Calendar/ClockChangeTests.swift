import TestSupport
import Testing
import Zones
@testable import Timers

@Suite("Calendars where the clocks change")
struct ClockChangeTests {
    private typealias Skipped = CalendarSchedule.SkippedTimes
    private typealias Repeated = CalendarSchedule.RepeatedTimes

    /// The zone's local times of the next occurrences.
    private func times(
        _ text: String,
        _ zone: String,
        after base: Int64,
        _ count: Int,
        skipped: CalendarSchedule.SkippedTimes = .skip,
        repeated: CalendarSchedule.RepeatedTimes = .first
    ) throws -> [String] {
        let zone = try ZoneInfo(named: zone)
        let schedule = try CalendarSchedule(text, local: zone, skippedTimes: skipped, repeatedTimes: repeated)
        return schedule.occurrences(after: TimerInstant(nanoseconds: base * 1_000_000_000)).prefix(count)
            .map { String(zone.text(at: $0).dropFirst(4)) }
    }

    /// 2026-03-28 12:00 and 2026-10-24 12:00 in Berlin.
    private static let (spring, autumn): (Int64, Int64) = (1_774_695_600, 1_792_836_000)

    @Test("the documented time line of a time that is skipped")
    func skipped() throws {
        #expect(
            try times("2:30", "Europe/Berlin", after: Self.spring - 43_200, 3)
                == ["2026-03-28 02:30:00 CET", "2026-03-30 02:30:00 CEST", "2026-03-31 02:30:00 CEST"]
        )
        #expect(
            try times("2:30", "Europe/Berlin", after: Self.spring - 43_200, 3, skipped: .runAfter)
                == ["2026-03-28 02:30:00 CET", "2026-03-29 03:00:00 CEST", "2026-03-30 02:30:00 CEST"]
        )
    }

    @Test("the documented time line of times that are repeated")
    func repeated() throws {
        let midnight = Self.autumn + 13 * 3600 + 1800
        #expect(
            try times("*:0/30", "Europe/Berlin", after: midnight, 3)
                == ["2026-10-25 02:00:00 CEST", "2026-10-25 02:30:00 CEST", "2026-10-25 03:00:00 CET"]
        )
        #expect(
            try times("*:0/30", "Europe/Berlin", after: midnight, 5, repeated: .both)
                == [
                    "2026-10-25 02:00:00 CEST", "2026-10-25 02:30:00 CEST", "2026-10-25 02:00:00 CET",
                    "2026-10-25 02:30:00 CET", "2026-10-25 03:00:00 CET",
                ]
        )
    }

    @Test("several times that a change skips, and one at the change itself, are one")
    func severalSkipped() throws {
        #expect(
            try times("2..3:0/20", "Europe/Berlin", after: Self.spring, 3, skipped: .runAfter)
                == ["2026-03-29 03:00:00 CEST", "2026-03-29 03:20:00 CEST", "2026-03-29 03:40:00 CEST"]
        )
        // A time at the end of the gap is not skipped.
        #expect(
            try times("3:00", "Europe/Berlin", after: Self.spring, 2, skipped: .runAfter)
                == ["2026-03-29 03:00:00 CEST", "2026-03-30 03:00:00 CEST"]
        )
    }

    @Test("half an hour in Lord Howe, two hours in Troll, a day in Apia, Ramadan in Casablanca, midnight in Cairo")
    func oddZones() throws {
        // 2026-10-04, 02:00 becomes 02:30; 2026-04-05, 02:00 becomes 01:30.
        #expect(
            try times("2:15", "Australia/Lord_Howe", after: 1_791_019_800, 2, skipped: .runAfter)
                == ["2026-10-04 02:30:00 +11", "2026-10-05 02:15:00 +11"]
        )
        #expect(
            try times("1:45", "Australia/Lord_Howe", after: 1_775_293_200, 3, repeated: .both)
                == ["2026-04-05 01:45:00 +11", "2026-04-05 01:45:00 +1030", "2026-04-06 01:45:00 +1030"]
        )
        // 2026-03-29, 01:00 becomes 03:00; 2026-10-25, 03:00 becomes 01:00.
        #expect(
            try times("1..3:30", "Antarctica/Troll", after: Self.spring, 3, skipped: .runAfter)
                == ["2026-03-29 03:00:00 +02", "2026-03-29 03:30:00 +02", "2026-03-30 01:30:00 +02"]
        )
        #expect(
            try times("1..3:30", "Antarctica/Troll", after: Self.autumn, 5, repeated: .both).map { $0.suffix(12) }
                == ["01:30:00 +02", "02:30:00 +02", "01:30:00 +00", "02:30:00 +00", "03:30:00 +00"]
        )
        // 2011-12-30 was left out.
        #expect(
            try times("12:00", "Pacific/Apia", after: 1_325_138_400, 3)
                == ["2011-12-29 12:00:00 -10", "2011-12-31 12:00:00 +14", "2012-01-01 12:00:00 +14"]
        )
        #expect(
            try times("12:00", "Pacific/Apia", after: 1_325_138_400, 3, skipped: .runAfter)
                == ["2011-12-29 12:00:00 -10", "2011-12-31 00:00:00 +14", "2011-12-31 12:00:00 +14"]
        )
        // 2026-02-15, 03:00 becomes 02:00; 2026-03-22, 02:00 becomes 03:00.
        #expect(
            try times("Sun 2:30", "Africa/Casablanca", after: 1_771_095_600, 7, skipped: .runAfter, repeated: .both)
                == [
                    "2026-02-15 02:30:00 +01", "2026-02-15 02:30:00 +00", "2026-02-22 02:30:00 +00",
                    "2026-03-01 02:30:00 +00", "2026-03-08 02:30:00 +00", "2026-03-15 02:30:00 +00",
                    "2026-03-22 03:00:00 +01",
                ]
        )
        // 2026-04-24, 00:00 becomes 01:00.
        #expect(
            try times("daily", "Africa/Cairo", after: 1_776_967_200, 2, skipped: .runAfter)
                == ["2026-04-24 01:00:00 EEST", "2026-04-25 00:00:00 EEST"]
        )
    }

    @Test("a time of an abbreviation comes in that half of the year alone, every year")
    func abbreviations() throws {
        let winters = try times("*-12,6-1 12:00 CET", "Europe/Berlin", after: Self.spring, 2)
        #expect(winters == ["2026-12-01 12:00:00 CET", "2027-12-01 12:00:00 CET"])
        // The second of two times is the only one in CET.
        #expect(try times("2:30 CET", "Europe/Berlin", after: Self.autumn, 1) == ["2026-10-25 02:30:00 CET"])
        #expect(
            try times("2:30 CEST", "Europe/Berlin", after: Self.spring, 1, skipped: .runAfter)
                == ["2026-03-29 03:00:00 CEST"]
        )
    }

    @Test("a leap day after the eight years without one, the last day of all, nothing before 1970")
    func farAway() throws {
        let end: Int64 = 3_981_000_000
        #expect(
            try times("*-2-29", "UTC", after: end, 2) == ["2096-02-29 00:00:00 UTC", "2104-02-29 00:00:00 UTC"]
        )
        #expect(
            try times("Sun *-2-29 12:00", "Europe/Berlin", after: end, 1) == ["2128-02-29 12:00:00 CET"]
        )
        #expect(
            try times("*-*~1 23:59:59.999999", "Europe/Berlin", after: 7_258_110_000, 2)
                == ["2199-12-31 23:59:59.999999 CET"]
        )
        #expect(try times("daily", "America/New_York", after: .min / 1_000_000_000, 1) == ["1970-01-01 00:00:00 EST"])
        #expect(try times("daily", "Europe/Berlin", after: -86_400 * 365 * 60, 1) == ["1970-01-02 00:00:00 CET"])
    }

    /// A search that tries every minute.
    @Test(
        "against a search that tries every minute, in zones with changes of all kinds",
        arguments: [
            "Europe/Berlin", "Australia/Lord_Howe", "Antarctica/Troll", "Africa/Casablanca", "America/Santiago",
            "Africa/Cairo", "Europe/Dublin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Gaza",
        ]
    )
    func everyMinute(name: String) throws {
        let zone = try ZoneInfo(named: name)
        var random = SeededGenerator(name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        for _ in 0..<Stress.rounds(3, stress: 300) {
            // Around one of the changes from 2000 to 2060.
            let somewhere = Int64(random.number(946_684_800..<2_840_140_800))
            let change = zone.zone.period(at: somewhere).end
            guard change < .max else { continue }
            let base = (change - Int64(random.number(0..<100_000))) / 60 * 60
            let day = CivilDate(daysSince1970: (change + zone.zone.offset(at: change)) / 86_400)
            let date = "-\(day.month)-\(day.day) "
            let days = ["", "Sat,Sun ", "Mon..Fri ", "*\(date)", "\(day.year)\(date)"][random.number(0..<5)]
            let hours = ["*", "0/3", "\(random.number(0..<5))", "0..3", "23,0"][random.number(0..<5)]
            let minutes = ["*", "0/20", "\(random.number(0..<60))", "10..50/7"][random.number(0..<4)]
            let text = "\(days)\(hours):\(minutes)"
            for (skipped, repeated) in [(Skipped.skip, Repeated.first), (.runAfter, .both), (.skip, .both)] {
                let schedule = try CalendarSchedule(text, local: zone, skippedTimes: skipped, repeatedTimes: repeated)
                let (start, end) = (base, base + 150_000)
                let ours = schedule.occurrences(after: TimerInstant(nanoseconds: start * 1_000_000_000))
                    .prefix { $0.nanoseconds <= end * 1_000_000_000 }.map { $0.nanoseconds / 1_000_000_000 }
                let simple = try tried(text, zone, skipped, repeated, after: start, through: end, change)
                // Any instant before a time leads to it.
                for time in ours {
                    let instant = TimerInstant(nanoseconds: time * 1_000_000_000)
                    #expect(schedule.next(after: instant.advanced(byNanoseconds: -1)) == instant)
                }
                if ours != simple { Issue.record("\(text) in \(name) after \(start): \(ours), not \(simple)") }
            }
        }
    }

    /// The minutes at which the clocks show a time that fits. What fits is decided in UTC, which has no changes.
    private func tried(
        _ text: String,
        _ zone: ZoneInfo,
        _ skipped: CalendarSchedule.SkippedTimes,
        _ repeated: CalendarSchedule.RepeatedTimes,
        after start: Int64,
        through end: Int64,
        _ change: Int64
    ) throws -> [Int64] {
        let plain = try CalendarSchedule(text, local: .utc)
        func fits(_ local: Int64) -> Bool {
            let instant = TimerInstant(nanoseconds: local * 1_000_000_000)
            return plain.next(after: instant.advanced(byNanoseconds: -1000)) == instant
        }
        func local(_ time: Int64) -> Int64 { time + zone.zone.offset(at: time) }
        return stride(from: start + 60, through: end, by: 60).filter { time in
            let (before, now) = (local(time - 60), local(time))
            if fits(now) {
                // No change here repeats more than three hours.
                let isNearChange = time >= change && time < change + 10_800
                let before = stride(from: change - 60, through: change - 10_800, by: -60)
                let wasShown = isNearChange && before.contains { local($0) == now }
                if repeated == .both || !wasShown { return true }
            }
            guard skipped == .runAfter, now > before + 60 else { return false }
            return stride(from: before + 60, to: now, by: 60).contains(where: fits)
        }
    }
}
