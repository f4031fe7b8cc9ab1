import Glibc
import TestSupport
import Testing

/// The state of the process after its last listener has gone.
@Suite("OS signals after the last listener has gone", .serialized)
struct OSSignalEndingTests {
    /// A process that adds two listeners, reports each, and then removes both.
    private func abandoned(
        _ number: CInt,
        _ before: String,
        _ setup: String,
        blocking blocked: [CInt] = []
    ) throws -> ProbeProcess {
        let probe = try ProbeProcess(["answer", "\(number)", before, setup], blocking: blocked)
        // Twice, because the original setting must be restored each time.
        for _ in 0..<2 {
            for _ in 0..<2 {
                probe.tell("listen")
                _ = try probe.lines(through: "listen")
            }
            kill(probe.pid, number)
            #expect(try [probe.line(), probe.line()] == ["heard \(number)", "heard \(number)"])
            #expect(try probe.ask("drop") == "drop")
            kill(probe.pid, number)
            #expect(try probe.line() == "heard \(number)")
            #expect(try probe.ask("drop") == "drop")
        }
        return probe
    }

    @Test(
        "a signal that ended the process ends it again",
        arguments: [SIGTERM, SIGHUP, SIGUSR1, SIGINT, 40],
        OSSignalDeliveryTests.setups
    )
    func endsAgain(_ number: CInt, _ setup: String) throws {
        let probe = try abandoned(number, "default", setup)
        kill(probe.pid, number)
        #expect(try probe.line() == nil)
        #expect(try probe.end() == number)
    }

    @Test("a signal that was ignored is ignored again after it was heard", arguments: OSSignalDeliveryTests.setups)
    func ignoredAgain(_ setup: String) throws {
        let probe = try abandoned(SIGHUP, "ignored", setup)
        kill(probe.pid, SIGHUP)
        #expect(try probe.ask("alive") == "alive")
    }

    @Test("a handler is called again", arguments: OSSignalDeliveryTests.setups)
    func handledAgain(_ setup: String) throws {
        let probe = try abandoned(SIGUSR1, "handler", setup)
        kill(probe.pid, SIGUSR1)
        #expect(try probe.line() == "handler")
        #expect(try probe.ask("alive") == "alive")
    }

    @Test("a signal that its parent had blocked is blocked again")
    func blockedAgain() throws {
        let probe = try abandoned(SIGTERM, "inherited", "blocked", blocking: [SIGTERM])
        kill(probe.pid, SIGTERM)
        #expect(try probe.ask("alive") == "alive")
        // It waits for the next listener.
        probe.tell("listen")
        #expect(try Set([probe.line(), probe.line()]) == ["listen", "heard \(SIGTERM)"])
    }

    @Test(
        "a signal still unread when the last listener goes ends the process",
        arguments: OSSignalDeliveryTests.setups
    )
    func unread(_ setup: String) throws {
        let probe = try ProbeProcess("answer", "\(SIGUSR1)", "default", setup)
        probe.tell("listen")
        _ = try probe.lines(through: "listen")
        #expect(try probe.ask("hold") == "hold")
        kill(probe.pid, SIGUSR1)
        try Deadline.wait("the signal to wait in some thread") { try probe.hasPendingSignals() }
        // A thread that does not block the signal, and was about to pass it on, is ended by it at once. Others are
        // ended when the loop resumes.
        probe.tell("drop unread")
        probe.tell("release")
        #expect(try probe.end() == SIGUSR1)
    }

    @Test(
        "many subscriptions leave no descriptor, thread, handler, mask or memory behind",
        arguments: ["blocked", "late", "parked"]
    )
    func churn(_ setup: String) throws {
        let times = Stress.rounds(500, stress: 20_000)
        let probe = try ProbeProcess("churn", "\(SIGUSR1),\(SIGTERM),40", setup, "\(times)", "5")
        var said: [String] = []
        while let line = try probe.line() { said.append(line) }
        #expect(!said.contains { $0.hasPrefix("failed") }, "\(said)")
        let before = try #require(said.first { $0.hasPrefix("before ") }).dropFirst("before ".count)
        let after = try #require(said.first { $0.hasPrefix("after ") }).dropFirst("after ".count)
        #expect(before == after)
        let grown = try #require(said.first { $0.hasPrefix("grown ") }.flatMap { Int($0.dropFirst("grown ".count)) })
        // KiB. The allocator keeps some. In the long form this is far less than a byte for each.
        #expect(isSanitized || grown < 64, "\(said)")
    }

    @Test("without free descriptors the error says how to proceed; with them it works again")
    func exhaustion() throws {
        let probe = try ProbeProcess("exhaust")
        let said = try probe.lines(through: "listening")
        #expect(said.count == 4, "\(said)")
        let failures = said.filter { $0.hasPrefix("failed: cannot ") }
        #expect(failures.count == 2, "\(said)")
        #expect(failures.allSatisfy { $0.contains("Too many open files (error 24); raise the limit") }, "\(said)")
        #expect(said.contains { $0.hasPrefix("failed: cannot open a signal descriptor") }, "\(said)")
        #expect(said.contains { $0.hasPrefix("block: cannot list /proc/self/task: Too many open files") }, "\(said)")
        kill(probe.pid, SIGUSR1)
        #expect(try probe.line() == "heard \(SIGUSR1)")
    }
}
