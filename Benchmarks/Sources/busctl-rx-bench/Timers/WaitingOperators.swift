import Bus
import Timers

extension Benchmark {
    /// The cost of a value in operators that read the clock for each value, and order the values and their timer's
    /// events: not much more than the reading and a turn.
    static let waiting = Benchmark(name: "waiting") { settings, report in
        let hour = Duration.seconds(3600)
        let all = Tally.ofNumbers(below:)
        // One value of a burst without a pause passes.
        let last: (Int) -> UInt64 = { UInt64($0 - 1) }
        let timeout = contest("timeout between values", all) { count, tally in
            _ = Signals.from(0..<count).timeout(hour, failing: Silent())
                .subscribe(next: { tally.add($0) }, failed: { _ in })
        }
        let debounce = contest("debounce", last) { count, tally in
            _ = Signals.from(0..<count).debounce(hour).subscribe(next: { tally.add($0) })
        }
        let watchdog = contest("watchdog", all) { count, tally in
            Signals.from(0..<count).watchdog(hour) { _ in nil }.subscribe(next: { tally.add($0) }).dispose()
        }
        let throttle = contest("throttle", last) { count, tally in
            _ = Signals.from(0..<count).throttle(hour, atCompletion: .flush).subscribe(next: { tally.add($0) })
        }
        for bounded in [timeout, debounce] {
            report.add(
                try bounded.run(settings),
                bounds: [Bound(name: bounded.name, limit: .timesFloor(atMost: 1.25))]
            )
        }
        for further in [watchdog, throttle] { report.add(try further.run(settings)) }
    }

    private struct Silent: Error {}

    private static func contest(
        _ name: String,
        _ expected: @escaping (Int) -> UInt64,
        _ handle: @escaping (Int, Tally) -> Void
    ) -> Contest {
        let (time, turn) = (TimerScheduler.shared, Turn())
        return Contest(
            name: "\(name), a value",
            events: 4_000_000,
            expected: expected,
            contenders: [
                .ours { count in Tally.of { tally in handle(count, tally) } },
                .floor("one clock read and a turn") { count in
                    var isRunning = true
                    for _ in 0..<count {
                        turn.take()
                        isRunning = isRunning && time.now > .distantPast
                        turn.leave()
                    }
                    return isRunning ? expected(count) : 0
                },
            ]
        )
    }
}
