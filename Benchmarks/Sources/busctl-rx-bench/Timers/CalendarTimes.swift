import Timers

extension Benchmark {
    /// The next time of each expression of systemd's own tests (test-calendarspec.c), in a zone whose clocks change.
    static let calendars = Benchmark(name: "calendars") { settings, report in
        let zone = try ZoneInfo(named: "Europe/Berlin")
        let standings = try expressions.map { text in
            let schedule = try CalendarSchedule(text, local: zone, skippedTimes: .runAfter)
            return try Contest(
                name: "next time of \(text)",
                events: 20_000,
                expected: { times(of: schedule, count: $0) },
                contenders: [.ours { times(of: schedule, count: $0) }]
            ).run(settings)
        }
        report.add(
            over(standings, "next time of a calendar, median expression", \.median),
            bounds: [Bound(name: "next time of a calendar", limit: .median(atMost: 1000))]
        )
        report.add(over(standings, "next time of a calendar, slowest expression") { $0.max() ?? .nan })
    }

    private static let expressions = [
        "Sat,Thu,Mon-Wed,Sat-Sun", "Mon,Sun 12-*-* 2,1:23", "Wed *-1", "Wed, 17:48", "Wed-Sat,Tue 12-10-15 1:2:3",
        "*-*-7 0:0:0", "10-15", "monday *-12-* 17:00", "Mon,Fri *-*-3,1,2 *:30:45", "12,14,13,12:20,10,30",
        "mon,fri *-1/2-1,3 *:30:45", "03-05 08:05:40", "08:05:40", "05:40", "Sat,Sun 12-05 08:05:40",
        "Sat,Sun 08:05:40",
        "2003-03-05 05:40", "2003-03-05", "03-05", "hourly", "daily", "monthly", "weekly", "minutely", "quarterly",
        "semi-annually", "annually", "*:2/3", "2015-10-25 01:00:00 uTc", "2016-03-27 03:17:00/0.42", "9..11,13:00,30",
        "1..3-1..3 1..3:1..3", "00:00:1.125..2.125", "00:00:1.0..3.8", "*-*~1 Utc", "*-*~05,3", "*-*~* 00:00:00",
        "Monday", "Monday *-*-*", "*-*-*", "Sun 16:00:00", "Mon 2017-05~01..07 UTC", "Mon 2017-05~07/1 UTC",
    ]

    /// The sum of times, each the next one after the one before, or after the beginning of 2003 when there is none.
    private static func times(of schedule: CalendarSchedule, count: Int) -> UInt64 {
        let start = TimerInstant(nanoseconds: 1_041_375_600_000_000_000)
        return Tally.of { tally in
            var last = start
            for _ in 0..<count {
                last = schedule.next(after: last) ?? start
                tally.add(Int(last.nanoseconds / 1_000_000_000))
            }
        }
    }

    /// A figure of all expressions together, round by round.
    private static func over(_ standings: [Standing], _ name: String, _ figure: ([Double]) -> Double) -> Standing {
        let rounds = standings.map(\.ours.samples.count).min() ?? 0
        let samples = (0..<rounds).map { round in figure(standings.map { $0.ours.samples[round] }) }
        return Standing(name: name, unit: "ns/event", ours: Series(name: "busctl-rx", samples: samples))
    }
}
