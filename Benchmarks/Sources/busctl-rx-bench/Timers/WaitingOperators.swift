import Bus
import Timers

extension Benchmark {
    /// What a value costs in operators that look at the clock for each: they must not cost much more than looking.
    static let waiting = Benchmark(name: "waiting") { settings, report in
        let time = TimerScheduler.shared
        let reading = Contender.floor("one clock read") { count in
            var checksum: UInt64 = 0
            for number in 0..<count {
                checksum &+= UInt64(bitPattern: time.now.nanoseconds) > 0 ? UInt64(number) : 0
            }
            return checksum
        }
        func contest(_ name: String, _ handle: @escaping @Sendable (AnySource) -> AnyHandle) -> Contest {
            Contest(
                name: "\(name), a value",
                events: 2_000_000,
                expected: { count in UInt64(count) * UInt64(count - 1) / 2 },
                contenders: [reading, .ours { count in try numbers(count, handle) }]
            )
        }
        _ = contest
        for contest in contests(reading) {
            report.add(
                try contest.run(settings),
                bounds: [Bound(name: contest.name, limit: .timesFloor(atMost: 1.5))]
            )
        }
    }
}
