import Foundation
import Glibc
import TestSupport
import Testing

/// A process that listens, its children, and other code in it that handles signals.
///
/// Thread Sanitizer delays the handlers of a thread that waits in a system call it does not know. It also keeps locks
/// over fork. Some tests cannot run under it: those with signals that a handler passes on to another thread, with a
/// process that ends itself by a signal, and with a child made by fork.
@Suite("OS signals together with other users of signals", .serialized)
struct OSSignalCompanyTests {
    @Test("children start with no signal blocked or ignored, and end when they are told to")
    func children() throws {
        let probe = try ProbeProcess("children")
        let clean = "SigBlk:\t0000000000000000"
        #expect(try probe.line() == "inherited")
        // SIGHUP, SIGUSR1, SIGTERM and 40 are blocked; SIGUSR2 and SIGPIPE are ignored.
        #expect(try probe.line() == "SigBlk:\t0000008000004201")
        #expect(try ignored(probe) == 0x1800)
        #expect(try probe.line() == "attributes")
        #expect(try probe.line() == clean)
        #expect(try ignored(probe) == 0)
        #expect(try probe.line() == "Process")
        #expect(try probe.line() == clean)
        // Foundation cannot be told to stop a child from ignoring what its parent ignores.
        #expect(try ignored(probe) == 0x1800)
        #expect(try probe.line() == "Process that ends when told to")
        #expect(try probe.line() == "true \(SIGTERM)")
        // It was sent before any child was started, and has been pending since.
        #expect(try probe.line() == "heard \(SIGTERM)")
        kill(probe.pid, SIGHUP)
        #expect(try probe.line() == "heard \(SIGHUP)")
    }

    /// The signals that a child ignores, except those of the C library, which nobody can change.
    private func ignored(_ probe: ProbeProcess) throws -> UInt64? {
        let words = try probe.line()?.split(separator: "\t") ?? []
        guard words.count == 2, words[0] == "SigIgn:" else { return nil }
        return UInt64(words[1], radix: 16).map { $0 & ~(3 << 31) }
    }

    @Test(
        "a child made by fork alone is ended by a signal that its parent listens to",
        .disabled(if: hasThreadSanitizer)
    )
    func fork() throws {
        let probe = try ProbeProcess("fork")
        let child = try #require(try probe.line().flatMap { pid_t($0.dropFirst("child ".count)) })
        kill(child, SIGTERM)
        probe.tell("wait")
        #expect(try probe.line() == "ended by \(SIGTERM)")
    }

    @Test(
        "with a Dispatch source: both hear other signals; a shared one is refused and left to the source",
        .disabled(if: hasThreadSanitizer)
    )
    func dispatch() throws {
        let probe = try ProbeProcess("dispatch")
        // In any order, because the refusal is heard on another thread.
        let said = try [probe.line() ?? "", probe.line() ?? "", probe.line() ?? ""].sorted()
        #expect(said[0] == "[Set([\(SIGUSR1)])]")
        #expect(said[1].hasPrefix("failed: cannot listen to SIGUSR1: another part of this process reads it already"))
        #expect(said[1].contains("Dispatch"))
        #expect(said[2] == "listening")
        for _ in 0..<10 {
            kill(probe.pid, SIGUSR1)
            #expect(try probe.line() == "Dispatch heard \(SIGUSR1)")
            kill(probe.pid, SIGUSR2)
            #expect(try probe.line() == "heard \(SIGUSR2)")
        }
    }

    @Test(
        "with swift-service-lifecycle: both hear other signals; a shared one is refused and left to it",
        .disabled(if: hasThreadSanitizer)
    )
    func lifecycle() throws {
        let probe = try ProbeProcess("lifecycle")
        let first = try probe.line() ?? ""
        // Only if the package is built with the trait.
        guard first != "not built with the trait ServiceLifecycle" else { return }
        // In either order, because the refusal is heard on another thread.
        let said = try [first, probe.line() ?? ""].sorted()
        #expect(said[0].hasPrefix("failed: cannot listen to SIGTERM: another part of this process reads it already"))
        #expect(said[0].contains("swift-service-lifecycle"))
        #expect(said[1] == "listening")
        for _ in 0..<10 {
            kill(probe.pid, SIGTERM)
            #expect(try probe.line() == "UnixSignals heard SIGTERM")
            kill(probe.pid, SIGHUP)
            #expect(try probe.line() == "heard \(SIGHUP)")
        }
    }

    @Test(
        "the second request to end is forced: the process ends as by the signal itself",
        .disabled(if: hasThreadSanitizer)
    )
    func termination() throws {
        let probe = try ProbeProcess("terminate")
        #expect(try probe.line() == "listening")
        kill(probe.pid, SIGTERM)
        #expect(try probe.line() == "graceful \(SIGTERM)")
        kill(probe.pid, SIGINT)
        #expect(try probe.line() == "forced \(SIGINT)")
        #expect(try probe.end() == SIGINT)
    }

    @Test("the two signals of timeout(1) are one request", .disabled(if: hasThreadSanitizer))
    func timeout() throws {
        for _ in 0..<20 {
            let probe = try ProbeProcess("terminate", under: ["/usr/bin/timeout", "1000"])
            #expect(try probe.line() == "listening")
            // Its time is over.
            kill(probe.pid, SIGALRM)
            // It sends SIGCONT after both signals. Passed on by an interrupted thread, one may overtake the other.
            let said = try [probe.line(), probe.line()].compactMap(\.self).sorted()
            #expect(said == ["continued", "graceful \(SIGTERM)"])
        }
    }

    @Test("requests that arrive during a reload cause one more reload", .disabled(if: hasThreadSanitizer))
    func reload() throws {
        let probe = try ProbeProcess("reload")
        #expect(try probe.line() == "listening")
        kill(probe.pid, SIGHUP)
        #expect(try probe.line() == "reloading")
        for _ in 0..<20 {
            kill(probe.pid, SIGHUP)
            try probe.waitUntilAllIsRead()
        }
        probe.tell("done")
        #expect(try [probe.line(), probe.line()] == ["reloaded", "reloading"])
        probe.tell("done")
        #expect(try probe.line() == "reloaded")
        // A third reload would have begun by now.
        #expect(try probe.ask("idle") == "idle")
        kill(probe.pid, SIGHUP)
        #expect(try probe.line() == "reloading")
        kill(probe.pid, SIGTERM)
        #expect(try probe.line() == nil)
        #expect(try probe.end() == SIGTERM)
    }
}
