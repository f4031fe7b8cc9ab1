import Bus
import Foundation
import Loop
import TestSupport
import Testing
import Timers

/// What can only be observed in a separate process.
@Suite("Timers in a separate process")
struct ProcessTests {
    @Test("stopped for a while: one late tick says how many were missed, and none is lost without being counted")
    func stopped() async {
        await #expect(processExitsWith: .success) {
            let period = Duration.milliseconds(20)
            let ticks = Collected<Tick>()
            let (began, goesOn) = (Latch(), Latch())
            let resumed = Lock(TimerInstant.distantFuture)
            let subscription = Signals.interval(every: period).subscribe(next: { tick in
                ticks.add(tick)
                began.open()
                if tick.scheduled > resumed.withLock({ $0 }) { goesOn.open() }
            })
            began.wait()
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", "kill -STOP \(getpid()); sleep 0.5; kill -CONT \(getpid())"]
            try shell.run()
            shell.waitUntilExit()
            resumed.withLock { $0 = TimerScheduler.shared.now }
            goesOn.wait()
            subscription.dispose()
            let all = ticks.all
            var next = 0
            for tick in all {
                precondition(tick.actual >= tick.scheduled, "a tick is early")
                precondition(tick.index == next + tick.missed, "a tick was lost uncounted")
                precondition(tick.lateness < period, "late by \(tick.lateness), when another was due")
                let place = all[0].scheduled.advanced(by: period * (tick.index - all[0].index))
                precondition(tick.scheduled == place, "off the beat by \(place.duration(to: tick.scheduled))")
                next = tick.index + 1
            }
            // It was stopped for at least 25 periods. A busy machine only makes that longer.
            let longest = all.map(\.missed).max() ?? 0
            precondition(longest >= 20, "\(longest) missed")
        }
    }

    @Test("with timers an hour away on every clock nothing wakes")
    func idle() async {
        await #expect(processExitsWith: .success) {
            let thread = ThreadScheduler(name: "idle-work")
            let loop = EventLoop(name: "idle-loop")
            let clocks = [SystemClock.monotonic, .boot, .wall]
            var all = try clocks.map { try TimerScheduler(on: thread, clock: $0, loop: loop) }
            let own = ThreadScheduler(name: "idle-own")
            for clock in clocks { all.append(try TimerScheduler(on: own, clock: clock)) }
            for timers in all {
                // One timer that fires, so that all threads have started, and one that waits.
                let ran = Latch()
                _ = timers.schedule(after: .milliseconds(1)) { ran.open() }
                _ = timers.schedule(after: .seconds(3600)) {}
                ran.wait()
            }
            // Threads that have just run go to sleep a last time. A thread that wakes without reason would continue to
            // do so.
            var before = try Self.threads()
            precondition(before.count == 3, "\(before)")
            let start = before.values.reduce(0) { $0 + $1.switches }
            while true {
                usleep(1_000_000)
                let after = try Self.threads()
                if after == before, after.values.allSatisfy(\.isAsleep) { break }
                let woken = after.values.reduce(0) { $0 + $1.switches } - start
                precondition(woken < 50, "\(woken) wakes, the last when \(before) became \(after)")
                before = after
            }
            withExtendedLifetime(all) {}
        }
    }

    @Test(
        "many timers an hour ahead are cancelled: the process is as large as before",
        .disabled(if: isSanitized, "a sanitizer keeps what is freed, and pads what is not")
    )
    func memoryGoes() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let loop = EventLoop(name: "memory-loop")
            let timers = try TimerScheduler(on: ThreadScheduler(name: "memory"), clock: .monotonic, loop: loop)
            let most = Stress.rounds(100_000, stress: 300_000)
            var handles: [TimerHandle] = []
            handles.reserveCapacity(most)
            func fill() {
                // A closure with a context of its own, like most.
                for number in 0..<most { handles.append(timers.schedule(after: .seconds(3600)) { _ = number }) }
            }
            func empty() {
                for handle in handles { handle.cancel() }
                handles.removeAll(keepingCapacity: true)
            }
            fill()
            empty()
            let before = try Self.settledSize(loop)
            fill()
            // The node, and the closure's context in malloc's layout.
            let bytes = try (Self.settledSize(loop) - before) / most
            empty()
            let left = try Self.settledSize(loop) - before
            print("\(bytes) bytes a timer, \(left) bytes left")
            // The result is the exit code. Trapping here would only start the debugger.
            exit(bytes > 100 ? 1 : left > 4_000_000 ? 2 : 0)
        }
    }

    /// malloc's unused memory is returned on the loop's thread, after its pending work.
    private static func settledSize(_ loop: EventLoop) throws -> Int {
        let done = Latch()
        try loop.perform { done.open() }
        done.wait()
        return try residentSize()
    }

    private static func residentSize() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropLast().last).flatMap { Int($0) }.map { $0 * 1024 } ?? 0
    }

    private struct Resting: Equatable {
        /// How often the thread gave up the processor.
        var switches: Int
        var isAsleep: Bool
    }

    /// The three threads, by name.
    private static func threads() throws -> [String: Resting] {
        var found: [String: Resting] = [:]
        for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            let status = try String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8)
            let fields = status.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            guard let name = fields.first(where: { $0.first == "Name:" })?.last, name.hasPrefix("idle-") else {
                continue
            }
            let switches = fields.first { $0.first == "voluntary_ctxt_switches:" }?.last.flatMap(Int.init)
            let state = fields.first { $0.first == "State:" }?.last
            found[name] = Resting(switches: switches ?? 0, isAsleep: state?.hasPrefix("S") == true)
        }
        return found
    }
}
