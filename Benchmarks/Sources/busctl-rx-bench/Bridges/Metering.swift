import Bus
import CoreMetrics
import MetricsBridge
import Synchronization

extension Benchmark {
    /// The cost that counting the values of a signal adds to counting them by hand.
    static let metering = Benchmark(name: "metering") { settings, report in
        let meters = AtomicMetrics()
        let bare = Counter(label: "bare", factory: meters)
        let contest = Contest(
            name: "metrics(named:) over a sequence",
            events: 5_000_000,
            expected: { count in Tally.of { tally in for number in 0..<count { tally.add(number) } } },
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        _ = Signals.from(0..<count).metrics(named: "ours", factory: meters).subscribe(next: {
                            tally.add($0)
                        })
                    }
                },
                .floor("bare counter") { count in
                    Tally.of { tally in
                        _ = Signals.from(0..<count).subscribe(next: {
                            bare.increment()
                            tally.add($0)
                        })
                    }
                },
            ]
        )
        report.add(
            try contest.run(settings),
            bounds: [Bound(name: "a value that is counted", limit: .aboveFloor(atMost: 100))]
        )
    }
}

/// A metrics system with the least work of a real one: an atomic addition.
private final class AtomicMetrics: MetricsFactory {
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { AtomicCounter() }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { NOOPMetricsHandler.instance }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

private final class AtomicCounter: CounterHandler {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) { value.add(amount, ordering: .relaxed) }
    func reset() { value.store(0, ordering: .relaxed) }
}
