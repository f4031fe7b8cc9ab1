import Bus
import Glibc
import Timers

extension Benchmark {
    /// Operators that record the time of every value, compared with reading the clock and ordering the value.
    static let clockReads = Benchmark(name: "clock-reads") { settings, report in
        let contest = Contest(
            name: "timeout, a value",
            events: 4_000_000,
            expected: Tally.ofNumbers(below:),
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        Signals.from(0..<count).timeout(.seconds(60), failing: Late())
                            .subscribe(next: { tally.add($0) }, failed: { _ in }).dispose()
                    }
                },
                .floor("clock_gettime and a turn") { count in
                    Tally.of { tally in
                        let turn = Turn()
                        for number in 0..<count {
                            var time = timespec()
                            clock_gettime(CLOCK_MONOTONIC, &time)
                            turn.take()
                            // The clock is never at the beginning of its range.
                            if time.tv_sec != .min { tally.add(number) }
                            turn.leave()
                        }
                    }
                },
            ]
        )
        let standing = try contest.run(settings)
        report.add(standing, bounds: [Bound(name: standing.name, limit: .timesFloor(atMost: 1.25))])
    }
}

private struct Late: Error {}
