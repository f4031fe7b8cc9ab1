import Glibc
import TestSupport
import Testing

/// A full queue once affected the whole process: it blocked the one thread on which all timers and all signals run.
@Suite("A full queue does not affect an interval, nor a signal sent by another process")
struct CrowdedSchedulerTests {
    static let chains = ["zip", "concat", "deliver", "merge", "feedback", "async", "values"]

    private struct Report {
        let ticks: Int
        /// The 99th percentile of the ticks' lateness, in nanoseconds.
        let late: Int
        let heard: Int
        let lost: Int

        init(_ line: String) throws {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 4 else { throw Command.Failure(description: "no report: \(line)") }
            (ticks, late, heard, lost) = (numbers[0], numbers[1], numbers[2], numbers[3])
        }
    }

    private func start(_ chain: String) throws -> ProbeProcess {
        let probe = try ProbeProcess("crowd", chain)
        #expect(try probe.line() == "ready")
        return probe
    }

    /// The next line, other than the chain's report of its completion.
    private func line(_ probe: ProbeProcess) throws -> String? {
        var line = try probe.line()
        while line == "completed" { line = try probe.line() }
        return line
    }

    private func report(_ probe: ProbeProcess) throws -> Report {
        probe.tell("report")
        return try Report(line(probe) ?? "")
    }

    @Test("interval and signals continue", arguments: chains)
    func goOn(chain: String) throws {
        let probe = try start(chain)
        // Waits until the queue has been full for long: it holds eight values, and receives one each millisecond.
        try Deadline.wait("ticks beside \(chain)") { try report(probe).ticks >= 10 }
        for _ in 0..<10 {
            kill(probe.pid, SIGUSR1)
            #expect(try line(probe) == "heard")
        }
        let before = try report(probe)
        try Deadline.wait("more ticks beside \(chain)") { try report(probe).ticks >= before.ticks + 5 }
        // Chains that can pause lose nothing. Two threads that feed each other cannot pause, and report their losses.
        let after = try report(probe)
        #expect(after.heard > 0)
        #expect((after.lost > 0) == (chain == "feedback"))
    }

    @Test("a slow thread hears all of an asynchronous sequence")
    func asynchronous() throws {
        let probe = try ProbeProcess("crowd", "async")
        while let line = try probe.line(), line != "completed" {}
        let report = try report(probe)
        #expect(report.heard == 10_000)
        #expect(report.lost == 0)
    }

    /// This measures real lateness, so it compares with a process without such a queue at the same time. Other work on
    /// the machine may delay only one of the two, but not every time.
    @Test("the ticks are on time", .enabled(if: Stress.isLong, "measures lateness"), .serialized, arguments: chains)
    func onTime(chain: String) throws {
        var seen: [String] = []
        for _ in 0..<5 {
            let probes = [try start(chain), try start("control")]
            var delays: [[Int]] = [[], []]
            for _ in 0..<300 {
                for (index, probe) in probes.enumerated() {
                    let sent = Self.now
                    kill(probe.pid, SIGUSR1)
                    #expect(try line(probe) == "heard")
                    delays[index].append(Self.now - sent)
                }
                usleep(30_000)
            }
            let ticks = try probes.map { try report($0).late }
            let answers = delays.map { $0.sorted()[$0.count * 99 / 100] }
            seen.append("ticks \(ticks[0]) ns beside \(ticks[1]), signals \(answers[0]) ns beside \(answers[1])")
            if ticks[0] <= 2 * ticks[1], answers[0] <= 2 * answers[1] {
                print("\(chain): \(seen.last ?? "")")
                return
            }
        }
        Issue.record("p99 beside \(chain): \(seen)")
    }

    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
