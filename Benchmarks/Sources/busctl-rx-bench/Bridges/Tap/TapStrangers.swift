import Bus
import Glibc
import Synchronization
import TapBridge
import Timers

extension Benchmark {
    /// The lateness of a program's own subscribers and timers while strangers attack its tap, compared with the same
    /// without them.
    static let tapStrangers = Benchmark(name: "tap-strangers") { settings, report in
        let seconds = settings.isQuick ? 2 : 10
        var (alone, beside) = (StrangeRounds(), StrangeRounds())
        // Alternating, so that other work on the machine affects both.
        for _ in 0..<max(4, settings.rounds) {
            alone.add(try LivelyProgram().run(seconds: seconds))
            beside.add(try LivelyProgram().runBesideStrangers(seconds: seconds))
        }
        for (name, part) in [("ticks", \StrangeRounds.ticks), ("a subscriber", \StrangeRounds.deliveries)] {
            let title = "tap, beside strangers: \(name), p99"
            let standing = Standing(
                name: title,
                unit: "µs late",
                ours: Series(name: "busctl-rx", samples: beside[keyPath: part]),
                floor: Series(name: "without them", samples: alone[keyPath: part])
            )
            let bound = Bound(name: title, limit: .timesFloor(atMost: 2), isEnforced: !settings.isBesideOtherWork)
            report.add(standing, bounds: [bound])
        }
    }
}

/// The 99th percentile of each round, in microseconds.
private struct StrangeRounds {
    var ticks: [Double] = []
    var deliveries: [Double] = []

    mutating func add(_ round: LivelyProgram.Lateness) {
        ticks.append(round.ticks.percentile(0.99))
        deliveries.append(round.deliveries.percentile(0.99))
    }
}

/// A program that posts a thousand times a second, hears these values on another thread, and serves a tap.
private final class LivelyProgram: Sendable {
    /// Microseconds.
    struct Lateness {
        var ticks: [Double] = []
        var deliveries: [Double] = []
    }

    private struct Stamp: Codable, Sendable {
        /// Nanoseconds of `CLOCK_MONOTONIC`.
        var at: Int64
    }

    private static let topic = Topic<Stamp>("bench.stamp")
    private let bus = NotificationBus()
    private let path = "/tmp/busctl-rx-bench.\(getpid()).strangers.tap"
    private let lateness = Mutex(Lateness())

    func runBesideStrangers(seconds: Int) throws -> Lateness {
        let tap = try bus.serve(at: path)
        defer { tap.dispose() }
        let strangers = try PartProcess([TapStrangersProcess.argument, path])
        try strangers.waitForByte()
        return withExtendedLifetime(strangers) { heard(for: seconds) }
    }

    func run(seconds: Int) throws -> Lateness {
        let tap = try bus.serve(at: path)
        defer { tap.dispose() }
        return heard(for: seconds)
    }

    private func heard(for seconds: Int) -> Lateness {
        let poster = bus.poster(for: Self.topic)
        let running = CompoundDisposable()
        running.add(
            bus.signal(for: Self.topic).deliver(on: ThreadScheduler(name: "stamps"), limit: 1024).subscribe(next: {
                [self] stamp in
                let late = Double(Self.now - stamp.at) / 1000
                lateness.withLock { $0.deliveries.append(late) }
            })
        )
        running.add(
            Signals.interval(every: .milliseconds(1)).subscribe(next: { [self] tick in
                let now = Self.now
                lateness.withLock { $0.ticks.append(Double(now - tick.scheduled.nanoseconds) / 1000) }
                poster.post(Stamp(at: Self.now))
            })
        )
        sleep(UInt32(seconds))
        running.dispose()
        return lateness.withLock { $0 }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
