import Foundation
import Glibc
import TestSupport
import Testing

/// What a listener in another process hears. Serialized, because each test keeps both processors busy.
@Suite("OS signals, sent by another process", .serialized)
struct OSSignalDeliveryTests {
    /// Signals are blocked in time, too late, or not at all. In the last case Dispatch has the main thread before or
    /// after.
    static let setups = ["blocked", "late", "parked", "parkedLater"]

    private func listening(
        _ numbers: [CInt],
        _ setup: String,
        listeners: Int = 1,
        counts: Bool = false
    ) throws -> ProbeProcess {
        let list = numbers.map(String.init).joined(separator: ",")
        let probe = try ProbeProcess(["listen", list, setup, "\(listeners)", counts ? "count" : "tell"])
        _ = try probe.lines(through: "listening")
        return probe
    }

    @Test("every listener hears what kill sends, with its sender", arguments: setups)
    func kills(_ setup: String) throws {
        let probe = try listening([SIGUSR1, SIGHUP, SIGTERM, SIGWINCH], setup, listeners: 3)
        for number in [SIGUSR1, SIGHUP, SIGUSR1, SIGTERM, SIGWINCH] {
            kill(probe.pid, number)
            var heard: Set<String> = []
            for _ in 0..<3 { heard.insert(try probe.line() ?? "nothing") }
            #expect(heard == Set((0..<3).map { "\($0): \(number) 0 \(getpid()) \(getuid()) 0 0" }))
        }
        probe.tell("end")
        #expect(try probe.line() == nil)
        #expect(try probe.end() == -1)
    }

    @Test("the sender of what /bin/kill sends is /bin/kill")
    func commandKills() throws {
        let probe = try listening([SIGUSR2], "blocked")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/kill")
        process.arguments = ["-USR2", "\(probe.pid)"]
        try process.run()
        #expect(try probe.line() == "0: \(SIGUSR2) 0 \(process.processIdentifier) \(getuid()) 0 0")
        process.waitUntilExit()
    }

    @Test("ten thousand queued real-time signals all arrive, in order and with their values", arguments: setups)
    func queued(_ setup: String) throws {
        let probe = try listening([40], setup)
        for value in 1...10_000 as ClosedRange<CInt> { try probe.queue(40, value) }
        var heard: [String] = []
        while heard.count < 10_000, let line = try probe.line() { heard.append(line) }
        let sent = (1...10_000).map { "0: 40 -1 \(getpid()) \(getuid()) \($0) 0" }
        // Order is promised only if no thread is interrupted. A signal that interrupts a thread is passed on from it,
        // and may arrive after its successors.
        let isAsPromised = setup == "blocked" ? heard == sent : heard.sorted() == sent.sorted()
        #expect(isAsPromised)
    }

    @Test("several real-time signals each keep their own order, for several listeners")
    func numbers() throws {
        let probe = try listening([35, 50, 64], "blocked", listeners: 2, counts: true)
        for value in 1...2_000 as ClosedRange<CInt> {
            for number in [64, 35, 50] as [CInt] { try probe.queue(number, value) }
        }
        for _ in 0..<2 {
            let report = try probe.ask("report") { $0.hasPrefix("heard 6000 ") }
            #expect(report.hasPrefix("heard 6000 lost 0 ordered true"))
            _ = try probe.line()
        }
    }

    @Test("a storm of standard signals is heard at least once, with bounded memory", arguments: setups)
    func storm(_ setup: String) throws {
        let probe = try listening([SIGUSR1, SIGUSR2], setup, counts: true)
        let sent = Stress.rounds(50_000, stress: 1_000_000)
        for _ in 0..<sent { kill(probe.pid, SIGUSR1) }
        // The last of the burst is heard like the first. This one is sent after it.
        kill(probe.pid, SIGUSR2)
        let report = try probe.ask("report") { !$0.hasPrefix("heard 0 ") && !$0.hasPrefix("heard 1 ") }
        let words = report.split(separator: " ").compactMap { Int($0) }
        try #require(words.count == 3)
        // The numbers are: heard, at least some of those sent; lost, none or some of them; memory in KiB.
        #expect((2...sent + 1).contains(words[0] + words[1]))
        #expect(words[2] < 64 * 1024, "\(report)")
        // An unread signal would end the process when its default action is restored.
        try probe.waitUntilAllIsRead()
        probe.tell("end")
        #expect(try probe.end() == -1)
    }

    @Test("a child's end is heard with its status", arguments: setups)
    func children(_ setup: String) throws {
        let probe = try listening([SIGCHLD], setup)
        probe.tell("child")
        let lines = [try probe.line() ?? "", try probe.line() ?? ""].sorted()
        let child = lines[1].split(separator: " ").last ?? ""
        // The number, CLD_EXITED, the child, its user, no value, the status.
        #expect(lines == ["0: \(SIGCHLD) 1 \(child) \(getuid()) 0 7", "child \(child)"])
    }

    @Test("a blocked signal that arrives before the first listener waits for it")
    func waiting() throws {
        // The probe blocks these signals itself, but they are blocked already, so they wait from its start.
        let probe = try ProbeProcess(["listen", "\(SIGTERM),40", "blocked", "1", "tell"], blocking: [SIGTERM, 40])
        kill(probe.pid, SIGTERM)
        try probe.queue(40, 1)
        try probe.queue(40, 2)
        let heard = try probe.lines(through: "0: 40 -1 \(getpid()) \(getuid()) 2 0")
        #expect(heard.contains("0: \(SIGTERM) 0 \(getpid()) \(getuid()) 0 0"))
        #expect(heard.contains("0: 40 -1 \(getpid()) \(getuid()) 1 0"))
    }

    @Test("a stopped process hears signals that arrived meanwhile once it continues", arguments: setups)
    func stopped(_ setup: String) throws {
        let probe = try listening([SIGUSR1, 40], setup, counts: true)
        kill(probe.pid, SIGSTOP)
        try probe.wait(forState: "T")
        for value in 1...100 as ClosedRange<CInt> { try probe.queue(40, value) }
        for _ in 0..<100 { kill(probe.pid, SIGUSR1) }
        kill(probe.pid, SIGCONT)
        // One of the standard signals was kept.
        let report = try probe.ask("report") { $0.hasPrefix("heard 101 ") }
        #expect(report.hasPrefix("heard 101 lost 0"))
    }

    @Test("when the kernel's queue is full the sender gets an error; accepted signals are heard")
    func overflow() throws {
        let probe = try listening([40], "blocked", counts: true)
        #expect(try probe.ask("limit") == "limited")
        kill(probe.pid, SIGSTOP)
        try probe.wait(forState: "T")
        // The limit covers all processes of this user. Others may have signals pending at the moment.
        try probe.queue(40, 1)
        var accepted: CInt = 1
        while accepted < 1000, sigqueue(probe.pid, 40, sigval(sival_int: accepted + 1)) == 0 { accepted += 1 }
        #expect(errno == EAGAIN)
        #expect(accepted <= 200)
        kill(probe.pid, SIGCONT)
        let report = try probe.ask("report") { $0.hasPrefix("heard \(accepted) ") }
        #expect(report.hasPrefix("heard \(accepted) lost 0 ordered true"))
    }

    @Test("a thread that does not block the signals is named, and the signals are still heard")
    func diagnosis() throws {
        let probe = try ProbeProcess("listen", "\(SIGUSR1)", "late", "1", "tell")
        let said = try probe.line() ?? ""
        #expect(said.contains("does not block SIGUSR1"))
        #expect(said.contains("block them first thing in main"))
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(probe.pid)/task")
        #expect(tasks.contains { $0 != "\(probe.pid)" && said.contains("thread \($0) (signal-probe)") }, "\(said)")

        let ready = try listening([SIGUSR1], "blocked")
        #expect(try ready.ask("threads") == "every thread blocks the signals, and nobody else reads them")
    }
}
