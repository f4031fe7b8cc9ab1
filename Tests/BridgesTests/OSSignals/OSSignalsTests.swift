import Bus
import BusTesting
import Foundation
import Glibc
import OSSignalBridge
import Testing
import Timers

@Suite("OS signals as a signal", .serialized)
struct OSSignalsTests {
    @Test("what another process sends with kill is heard, with who sent it", arguments: [true, false])
    func kills(isBlockedEverywhere: Bool) throws {
        let probe = try SignalProbe([SIGUSR1, SIGHUP, SIGWINCH], blocksEverywhere: isBlockedEverywhere)
        for number in [SIGUSR1, SIGHUP, SIGUSR1, SIGWINCH] {
            kill(probe.pid, number)
            #expect(try probe.line() == "\(number) 0 \(getpid()) \(getuid()) 0 0")
        }
        kill(probe.pid, SIGTERM)
        #expect(try probe.line()?.hasPrefix("\(SIGTERM) 0 ") == true)
        #expect(try probe.line() == nil)
    }

    @Test("what /bin/kill sends comes from /bin/kill")
    func commandKills() throws {
        let probe = try SignalProbe([SIGUSR2], blocksEverywhere: false)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/kill")
        process.arguments = ["-USR2", "\(probe.pid)"]
        try process.run()
        let sender = process.processIdentifier
        #expect(try probe.line() == "\(SIGUSR2) 0 \(sender) \(getuid()) 0 0")
        process.waitUntilExit()
    }

    @Test("a child's end is heard with its exit status", arguments: [true, false])
    func children(isBlockedEverywhere: Bool) throws {
        let probe = try SignalProbe([SignalProbe.child, SIGCHLD], blocksEverywhere: isBlockedEverywhere)
        #expect(sigqueue(probe.pid, SignalProbe.child, sigval(sival_int: 7)) == 0)
        _ = try probe.line()
        let words = try #require(try probe.line()).split(separator: " ").compactMap { Int($0) }
        try #require(words.count == 6)
        // The number, CLD_EXITED, the child, its user, no value, the status.
        #expect(words[0] == Int(SIGCHLD) && words[1] == 1 && words[2] != Int(probe.pid) && words[2] > 0)
        #expect(words[3...] == [Int(getuid()), 0, 7])
    }

    @Test(
        "real-time signals that are queued come each, in order where all threads block them",
        arguments: [true, false]
    )
    func queued(isBlockedEverywhere: Bool) throws {
        let number: CInt = 40
        let probe = try SignalProbe([number], blocksEverywhere: isBlockedEverywhere)
        for value in 1...2000 as ClosedRange<CInt> {
            #expect(sigqueue(probe.pid, number, sigval(sival_int: value)) == 0)
        }
        var heard: [String] = []
        while heard.count < 2000, let line = try probe.line() { heard.append(line) }
        let sent = (1...2000).map { "\(number) -1 \(getpid()) \(getuid()) \($0) 0" }
        let isWhatWasSent = isBlockedEverywhere ? heard == sent : heard.sorted() == sent.sorted()
        #expect(isWhatWasSent)
    }

    @Test("a subscription's descriptor is closed with it")
    func disposal() throws {
        let before = signalDescriptors()
        let set = try OSSignalSet([50])
        for _ in 0..<100 {
            let recorder = Recorder(Signals.osSignals(set))
            recorder.dispose()
        }
        // The descriptors are closed on the loop's thread, before this is.
        let closed = Latch()
        try EventLoop.shared.perform { closed.open() }
        closed.wait()
        #expect(signalDescriptors() == before)
    }

    @Test("with the last subscription the default action comes back; a handler and what is ignored stay")
    func dispositions() throws {
        let set = try OSSignalSet([51, 52])
        signal(52, SIG_IGN)
        defer { signal(52, SIG_DFL) }
        let recorders = [Recorder(Signals.osSignals(set)), Recorder(Signals.osSignals(set))]
        #expect(isHandled(51) && isIgnored(52))
        recorders[0].dispose()
        #expect(isHandled(51) && isIgnored(52))
        recorders[1].dispose()
        #expect(!isHandled(51) && isIgnored(52))
    }

    private func isHandled(_ number: CInt) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return action.sa_flags & SA_SIGINFO != 0
    }

    private func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    private func signalDescriptors() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                == "anon_inode:[signalfd]"
        }
    }
}
