import Testing

@testable import Zones

@Suite("Periods of time zones")
struct ZonePeriodTests {
    @Test(
        "one follows another without a gap, and the clocks do not change within one",
        arguments: [
            "Europe/Berlin", "Europe/Dublin", "Australia/Sydney", "Australia/Lord_Howe", "Antarctica/Troll",
            "Africa/Casablanca", "America/Nuuk", "America/Sao_Paulo", "Asia/Gaza", "Asia/Kolkata", "Pacific/Apia",
            "UTC",
        ]
    )
    func system(name: String) throws {
        try check(ZoneDatabase.system.zone(named: name), after: -3_000_000_000, until: 7_258_118_400)
    }

    @Test(
        "the same of zones that a rule alone makes",
        arguments: [
            "UTC0", "<+0330>-3:30", "CET-1CEST,M3.5.0,M10.5.0/3", "AEST-10AEDT,M10.1.0,M4.1.0/3",
            "IST-1GMT0,M10.5.0,M3.5.0/1",
            // Changes at the turn of the year, in the next year, at once, and for a whole year.
            "AAA0BBB,J1/0,J365/23", "AAA5BBB,J365/24,J1/0", "AAA-12BBB,M12.5.6/167,M1.1.0/-167", "AAA0BBB,J100,J100",
            "AAA0BBB,0/0,J365/25", "AAA0BBB-24:00,J60,59",
        ]
    )
    func rules(text: String) throws {
        try check(TimeZone(#require(ZoneRule(Array(text.utf8)))), after: 0, until: 2_000_000_000)
    }

    private func check(_ zone: TimeZone, after start: Int64, until end: Int64) throws {
        var period = zone.period(at: start)
        var count = 0
        while true {
            try #require(period.start < period.end && count < 4000)
            let (first, last) = (max(period.start, start - 1_000_000), min(period.end, end + 1_000_000) - 1)
            for time in [first, last, first + (last - first) / 2, first + (last - first) / 3, first + 1, last - 1] {
                let time = min(max(time, first), last)
                let type = zone.type(at: time)
                let isRight = type.offset == period.offset && type.isDaylightSaving == period.isDaylightSaving
                if !isRight || zone.period(at: time) != period { Issue.record("\(time): \(period), but \(type)") }
            }
            guard period.end < end else { break }
            let next = zone.period(at: period.end)
            try #require(next.start == period.end)
            period = next
            count += 1
        }
    }
}
