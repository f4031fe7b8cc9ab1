import Bus
import Foundation
import TestSupport
import Testing
import Timers

/// What can only be seen in a process of its own.
@Suite("Timers in a process of their own")
struct ProcessTests {
    @Test("stopped for two seconds: one late tick says how many were missed, and none is lost uncounted")
    func stopped() async {
        await #expect(processExitsWith: .success) {
            let ticks = Collected<Tick>()
            let done = Latch()
            let subscription = Signals.interval(every: .milliseconds(20)).subscribe(next: { tick in
                ticks.add(tick)
                if tick.missed >= 50 { done.open() }
            })
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", "kill -STOP \(getpid()); sleep 2; kill -CONT \(getpid())"]
            try shell.run()
            done.wait()
            subscription.dispose()
            shell.waitUntilExit()
            var next = 0
            for tick in ticks.all {
                precondition(tick.actual >= tick.scheduled, "a tick is early")
                precondition(tick.index == next + tick.missed, "a tick was lost uncounted")
                next = tick.index + 1
            }
            let longest = ticks.all.map(\.missed).max() ?? 0
            precondition((80...400).contains(longest), "\(longest) missed")
            precondition(ticks.all.allSatisfy { $0.missed > 0 || $0.lateness < .seconds(1) })
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
                // One that runs, so that all threads there are have started, and one that waits.
                let ran = Latch()
                _ = timers.schedule(after: .milliseconds(1)) { ran.open() }
                _ = timers.schedule(after: .seconds(3600)) {}
                ran.wait()
            }
            let before = try Self.settledSwitches()
            precondition(before.count == 3, "\(before)")
            usleep(1_000_000)
            let after = try Self.switches()
            precondition(before == after, "\(before) became \(after)")
            withExtendedLifetime(all) {}
        }
    }

    @Test(
        "hundreds of thousands of timers an hour ahead, cancelled: the process is as large as before",
        .disabled(if: isSanitized, "a sanitizer keeps what is freed, and pads what is not")
    )
    func memoryGoes() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let loop = EventLoop(name: "memory-loop")
            let timers = try TimerScheduler(on: ThreadScheduler(name: "memory"), clock: .monotonic, loop: loop)
            var handles: [TimerHandle] = []
            handles.reserveCapacity(300_000)
            func fill() {
                // A closure with a context of its own, as most have.
                for number in 0..<300_000 { handles.append(timers.schedule(after: .seconds(3600)) { _ = number }) }
            }
            func empty() {
                for handle in handles { handle.cancel() }
                handles.removeAll(keepingCapacity: true)
            }
            fill()
            empty()
            let before = try Self.settledSize(loop)
            fill()
            // The node, and the closure's context as malloc lays it out.
            let bytes = try (Self.settledSize(loop) - before) / 300_000
            empty()
            let left = try Self.settledSize(loop) - before
            print("\(bytes) bytes a timer, \(left) bytes left")
            // What has happened is in the exit code: trapping here would only start the debugger.
            exit(bytes > 100 ? 1 : left > 4_000_000 ? 2 : 0)
        }
    }

    /// What malloc keeps is given back on the loop's thread, after what it has to do already.
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

    /// How often each of the three threads gave the processor up, by name, once that stands still.
    private static func settledSwitches() throws -> [String: Int] {
        var last = try switches()
        while true {
            usleep(20_000)
            let next = try switches()
            if next == last { return next }
            last = next
        }
    }

    private static func switches() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            let status = try String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8)
            let fields = status.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            guard let name = fields.first(where: { $0.first == "Name:" })?.last, name.hasPrefix("idle-") else {
                continue
            }
            let switches = fields.first { $0.first == "voluntary_ctxt_switches:" }?.last.flatMap(Int.init)
            counts[name] = switches ?? 0
        }
        return counts
    }
}
