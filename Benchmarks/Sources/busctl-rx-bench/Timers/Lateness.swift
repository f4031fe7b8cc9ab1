import Bus
import Dispatch
import DispatchBridge
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Timers

// The Glibc module does not export them.
@_silgen_name("timerfd_create")
private func timerfd_create(_ clock: CInt, _ flags: CInt) -> CInt

@_silgen_name("timerfd_settime")
private func timerfd_settime(
    _ descriptor: CInt,
    _ flags: CInt,
    _ new: UnsafePointer<itimerspec>,
    _ old: UnsafeMutablePointer<itimerspec>?
) -> CInt

extension Benchmark {
    /// A hundred ticks a second for a minute, four times, from several sources at once: how late they are, and whether
    /// any was lost.
    ///
    /// Each source has its own thread or queue to call back on. Ours calls back on the default shared thread, and on a
    /// queue.
    static let timerLateness = Benchmark(name: "timer-lateness") { settings, report in
        let (seconds, rounds) = settings.isQuick ? (5, 1) : (60, 4)
        let each = try (0..<rounds).map { try LatenessRun(ticks: seconds * 100).measure(round: $0) }
        let all = LatenessRun.together(each)
        // The few late ticks depend on what else the machine does. One stall of the host causes several of the six
        // latest ticks of a source, so each round is judged separately. Even then, sources that are equally late differ
        // by a fifth in either direction.
        for (name, share, least) in [("p50", 0.5, 1), ("p99", 0.99, 0.8), ("p99.9", 0.999, 0.8)] {
            let series = all.indices.map { index in
                Series(name: all[index].name, samples: each.map { $0[index].ticks.late.percentile(share) })
            }
            guard let ours = series.first else { continue }
            let standing = Standing(
                name: "tick at 100 Hz, late, \(name)",
                unit: "µs",
                ours: ours,
                floor: series.last,
                instead: Array(series.dropFirst().dropLast())
            )
            report.add(
                standing,
                bounds: ["DispatchSourceTimer", "NIO"].map { peer in
                    Bound(name: standing.name, limit: .timesFaster(than: peer, atLeast: least))
                }
            )
        }
        for (name, ticks) in all where name.hasPrefix("busctl-rx") {
            let mean = ticks.late.reduce(0, +) / Double(ticks.late.count) / 1000
            let drift = "drift, mean, \(name)"
            report.add(
                Standing(name: drift, unit: "ms", ours: Series(name: name, samples: [mean])),
                bounds: [Bound(name: drift, limit: .median(atMost: 1))]
            )
        }
        for (name, ticks) in all {
            report.note("\(name): \(ticks.late.count) ticks came, \(ticks.missed) were missed and counted")
            guard ticks.count == rounds * seconds * 100 else {
                throw Complaint("\(name): \(rounds * seconds * 100 - ticks.count) ticks were lost uncounted")
            }
        }
    }
}

private struct LatenessRun {
    struct Ticks {
        /// Microseconds.
        var late: [Double] = []
        var missed = 0
        var count: Int { late.count + missed }
    }

    let ticks: Int
    private let period: UInt64 = 10_000_000

    /// The ticks of all rounds combined.
    static func together(_ rounds: [[(name: String, ticks: Ticks)]]) -> [(name: String, ticks: Ticks)] {
        guard let first = rounds.first else { return [] }
        return first.indices.map { index in
            let all = rounds.map { $0[index].ticks }
            return (first[index].name, Ticks(late: all.flatMap(\.late), missed: all.reduce(0) { $0 + $1.missed }))
        }
    }

    func measure(round: Int) throws -> [(name: String, ticks: Ticks)] {
        let all = ["busctl-rx", "busctl-rx on a queue", "DispatchSourceTimer", "NIO", "a bare timerfd"]
            .map { (name: $0, gathering: Gathering(ticks)) }
        let schedulers = [
            TimerScheduler.shared, try TimerScheduler(on: DispatchQueue(label: "late-ours")),
        ]
        // Started at different times, so that they do not need the same processor at the same moment. In every round
        // each follows another one.
        let start = Self.now + 100_000_000
        func begin(_ number: Int) -> UInt64 {
            start + UInt64(number * (round + 1) % all.count) * period / UInt64(all.count)
        }
        var handles: [any Disposable] = []
        for (number, scheduler) in schedulers.enumerated() {
            handles.append(startOurs(begin(number), scheduler, all[number].gathering))
        }
        let source = startDispatch(begin(2), all[2].gathering)
        handles.append(try startNIO(begin(3), all[3].gathering))
        try startBare(begin(4), all[4].gathering)
        for (_, gathering) in all { gathering.done.wait() }
        for handle in handles { handle.dispose() }
        source.cancel()
        return all.map { ($0.name, $0.gathering.ticks) }
    }

    private func startOurs(_ start: UInt64, _ scheduler: TimerScheduler, _ gathering: Gathering) -> any Disposable {
        while scheduler.now.nanoseconds < Int64(start) - 10_000_000 { usleep(50) }
        return Signals.interval(every: .milliseconds(10), on: scheduler).subscribe(next: { tick in
            gathering.add(
                late: Double(Int64(Self.now) - tick.scheduled.nanoseconds) / 1000,
                missed: tick.missed
            )
        })
    }

    private func startDispatch(_ start: UInt64, _ gathering: Gathering) -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "late"))
        let due = Atomic<UInt64>(start)
        source.schedule(
            deadline: DispatchTime(uptimeNanoseconds: start),
            repeating: .nanoseconds(Int(period)),
            leeway: .nanoseconds(0)
        )
        let period = period
        source.setEventHandler {
            let now = Self.now
            let missed = Int(source.data) - 1
            let scheduled = due.load(ordering: .relaxed) + UInt64(max(missed, 0)) * period
            due.store(scheduled + period, ordering: .relaxed)
            gathering.add(late: Double(Int64(now) - Int64(scheduled)) / 1000, missed: max(missed, 0))
        }
        source.activate()
        return source
    }

    private func startNIO(_ start: UInt64, _ gathering: Gathering) throws -> any Disposable {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (period, ticks) = (period, ticks)
        // NIO's own repeating tasks wait from the end of one to the next, and drift. This is the usual replacement.
        @Sendable func arm(_ number: Int) {
            let due = start + UInt64(number) * period
            loop.scheduleTask(deadline: NIODeadline.uptimeNanoseconds(due)) {
                gathering.add(late: Double(Int64(Self.now) - Int64(due)) / 1000, missed: 0)
                if number + 1 < ticks { arm(number + 1) }
            }
        }
        loop.execute { arm(0) }
        return ActionDisposable {}
    }

    /// The least work of a custom program: a thread that waits only for this timer.
    private func startBare(_ start: UInt64, _ gathering: Gathering) throws {
        let descriptor = timerfd_create(CLOCK_MONOTONIC, CInt(O_CLOEXEC))
        let absolute: CInt = 1
        func time(_ nanoseconds: UInt64) -> timespec {
            timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        }
        var setting = itimerspec(it_interval: time(period), it_value: time(start))
        guard timerfd_settime(descriptor, absolute, &setting, nil) == 0 else {
            throw Complaint("no timer descriptor, errno \(errno)")
        }
        let (period, ticks) = (period, ticks)
        let thread = ThreadScheduler(name: "bare")
        thread.schedule {
            var (expired, heard) = (UInt64(0), UInt64(0))
            while heard < ticks, read(descriptor, &expired, MemoryLayout<UInt64>.size) > 0 {
                heard += expired
                let scheduled = start + (heard - 1) * period
                gathering.add(late: Double(Int64(Self.now) - Int64(scheduled)) / 1000, missed: Int(expired) - 1)
            }
            close(descriptor)
        }
    }

    /// CLOCK_MONOTONIC, which all use.
    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// The ticks of one source, until there are enough.
private final class Gathering: Sendable {
    let done = DispatchSemaphore(value: 0)
    private let limit: Int
    private let state = Mutex(LatenessRun.Ticks())

    init(_ limit: Int) {
        self.limit = limit
    }

    var ticks: LatenessRun.Ticks { state.withLock { $0 } }

    func add(late: Double, missed: Int) {
        let isLast = state.withLock { ticks in
            guard ticks.count < limit else { return false }
            ticks.late.append(late)
            ticks.missed = min(ticks.missed + missed, limit - ticks.late.count)
            return ticks.count >= limit
        }
        if isLast { done.signal() }
    }
}
