import TestSupport
import Bus
import BusTesting
import Foundation
import Glibc
import ProcessBridge
import SystemPackage
import Testing

@Suite("Child processes")
struct RunTests {
    typealias Run = Listening<ChildEvent, ProcessError>

    private func sh(_ script: String) -> ChildProcess { ChildProcess("/bin/sh", ["-c", script]) }

    private func run(_ child: ChildProcess) throws -> Run {
        let heard = Run(Signals.run(child))
        try heard.waitForEnd()
        #expect(heard.recorder.violations == [])
        return heard
    }

    private func output(_ heard: Run) -> [String] {
        heard.values.compactMap { event in
            if case .output(let line) = event { return line }
            return nil
        }
    }

    private func status(_ heard: Run) -> ProcessStatus? {
        guard case .ended(let status) = heard.values.last else { return nil }
        return status
    }

    private func pid(_ heard: Run) throws -> pid_t {
        guard case .started(let pid) = heard.values.first else {
            throw Run.Timeout(description: "it did not start: \(heard.recorder.events)")
        }
        return pid
    }

    @Test("its output on both streams, and its exit")
    func lines() throws {
        let heard = try run(sh("echo one; echo two >&2; printf three; exit 3"))
        #expect(output(heard) == ["one", "three"])
        #expect(heard.values.contains(.errors("two")))
        #expect(status(heard) == .exited(code: 3))
        #expect(heard.hasCompleted)
        #expect(try pid(heard) > 0)
    }

    @Test("a child ended by a signal reports which")
    func signaled() throws {
        #expect(status(try run(sh("ulimit -c 0; kill -SEGV $$"))) == .signaled(signal: SIGSEGV, dumpedCore: false))
        #expect(status(try run(sh("kill -TERM $$"))) == .signaled(signal: SIGTERM, dumpedCore: false))
    }

    /// Whether core dumps are files of the working directory, and children may write one.
    private static var coresAreFiles: Bool {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        guard let pattern = try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8) else {
            return false
        }
        return limit.rlim_max > 0 && !pattern.contains("|") && !pattern.contains("/")
    }

    @Test(
        "a child that dumps core reports so",
        .enabled(if: coresAreFiles, "needs a core to be a file of the working directory")
    )
    func core() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("core-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = "cd '\(folder)' && ulimit -c $(ulimit -H -c) && kill -SEGV $$"
        #expect(status(try run(sh(script))) == .signaled(signal: SIGSEGV, dumpedCore: true))
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("all output before its end is heard")
    func muchOutput() throws {
        let heard = try run(sh("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done"))
        let isSame = output(heard) == (0..<20_000).map { "line \($0)" }
        #expect(isSame)
    }

    @Test(
        "the child inherits no blocked or ignored signals and no descriptors"
    )
    func clean() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            signal(SIGPIPE, SIG_IGN)
            signal(SIGHUP, SIG_IGN)
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
            // In other programs it is not closed.
            let leaked = open("/etc/passwd", O_RDONLY)
            precondition(leaked > 2)
            let heard = Listening(
                Signals.run(
                    ChildProcess("/bin/sh", ["-c", "grep -E 'Sig(Blk|Ign)' /proc/self/status; ls /proc/$$/fd"])
                )
            )
            try heard.waitForEnd()
            let lines = heard.values.compactMap { event -> String? in
                if case .output(let line) = event { return line }
                return nil
            }
            // The two signals that the C library reserves are left ignored by its own spawn function.
            let ignored = "SigIgn:\t0000000180000000"
            complain(
                unless: lines == ["SigBlk:\t0000000000000000", ignored, "0", "1", "2"],
                "\(heard.values)"
            )
        }
        expectNoComplaint(result)
    }

    @Test("its input comes from a signal, and ends with it")
    func input() throws {
        var child = ChildProcess("cat")
        let pieces = (0..<1000).map { Array("\($0)\n".utf8) }
        child.input = .signal(Signals.from(pieces).eraseToAnySignal())
        let heard = try run(child)
        let isSame = output(heard) == (0..<1000).map { "\($0)" }
        #expect(isSame)
        #expect(status(heard) == .exited(code: 0))
    }

    @Test("its input is an open file of the caller")
    func descriptorInput() throws {
        let pipe = try FileDescriptor.pipe()
        var child = ChildProcess("cat")
        child.input = .descriptor(pipe.readEnd)
        try pipe.writeEnd.closeAfter { _ = try pipe.writeEnd.writeAll("a\nb\n".utf8) }
        let heard = try pipe.readEnd.closeAfter { try run(child) }
        #expect(output(heard) == ["a", "b"])
        #expect(status(heard) == .exited(code: 0))
    }

    @Test("more input than pipes hold, from a source that waits, through a child that writes it all back")
    func muchInput() throws {
        var child = ChildProcess("cat")
        let pieces = (0..<3000).map {
            [UInt8](repeating: 97, count: 1023) + [UInt8(10), UInt8(truncatingIfNeeded: $0 & 0)]
        }
        child.input = .signal(Signals.from(pieces, on: ThreadScheduler(name: "source")).eraseToAnySignal())
        let heard = try run(child)
        #expect(output(heard).count == 3001)
        #expect(status(heard) == .exited(code: 0))
    }

    @Test("a child that closes its input or ends does not wait for the source's end")
    func inputNotWanted() throws {
        let subject = Subject(of: [UInt8].self)
        var child = sh("exec <&-; echo closed; read x; exit 0")
        child.input = .signal(subject.eraseToAnySignal())
        let heard = Run(Signals.run(child))
        subject.send(Array("abc".utf8))
        try heard.wait { $0.values.contains(.output("closed")) }
        for _ in 0..<10 { subject.send(Array("abc".utf8)) }
        try heard.waitForEnd()
        #expect(heard.failure == nil)
        #expect(status(heard) == .exited(code: 0))
    }

    @Test("a grandchild that keeps the pipes open does not delay the end")
    func grandchild() throws {
        let heard = try run(sh("sleep 1000 & echo $!"))
        #expect(status(heard) == .exited(code: 0))
        let grandchild = try #require(output(heard).first.flatMap { pid_t($0) })
        #expect(kill(grandchild, SIGKILL) == 0)
    }

    @Test("a grandchild that writes without end does not delay the end")
    func busyGrandchild() throws {
        var child = sh("trap 'echo done >&2; exit 0' USR1; yes & echo $!; wait")
        child.output = .lines
        let (count, isBusy) = (Lock(0), Latch())
        let heard = Run(Signals.run(child, on: ThreadScheduler(name: "busy"))) { _ in
            let number = count.withLock { count -> Int in
                count += 1
                return count
            }
            if number == 1000 { isBusy.open() }
            return .more
        }
        isBusy.wait()
        #expect(kill(try pid(heard), SIGUSR1) == 0)
        try heard.waitForEnd()
        #expect(status(heard) == .exited(code: 0))
        #expect(heard.values.contains(.errors("done")))
    }

    @Test("when cancelled, the child is told to end; its status is taken, so nothing of it is left")
    func cancelled() throws {
        let heard = Run(Signals.run(sh("echo ready; exec sleep 1000")))
        try heard.wait { $0.values.contains(.output("ready")) }
        let pid = try pid(heard)
        heard.dispose()
        try waitForEnd(of: pid)
        #expect(heard.recorder.eventsAfterDisposal == 0)
    }

    @Test("a child that ignores that, and a stopped one, are killed after their grace, with what they started")
    func stubborn() throws {
        var child = sh("trap '' TERM; sleep 1000 & echo $!; while :; do sleep 1000; done")
        child.grace = .milliseconds(1)
        let heard = Run(Signals.run(child))
        try heard.waitForValues(2)
        let grandchild = try #require(output(heard).first.flatMap { pid_t($0) })
        let pid = try pid(heard)
        heard.dispose()
        try waitForEnd(of: pid)
        try NewsBoard().waitOrThrow("the grandchild's end") { kill(grandchild, 0) != 0 || isZombie(grandchild) }

        let stopped = Run(Signals.run(sh("kill -STOP $$; sleep 1000")))
        try stopped.waitForValues(1)
        let stoppedPid = try self.pid(stopped)
        try NewsBoard().waitOrThrow("the stop") { state(of: stoppedPid) == "T" }
        stopped.dispose()
        try waitForEnd(of: stoppedPid)
    }

    @Test("a child that ignores that counts as ending until it has ended, in whatever way")
    func ending() throws {
        var child = sh("trap '' TERM; echo ready; while :; do sleep 1000; done")
        child.grace = .seconds(100_000)
        let heard = Run(Signals.run(child))
        try heard.wait { $0.values.contains(.output("ready")) }
        let pid = try pid(heard)
        #expect(!ChildProcess.ending.contains(pid))
        heard.dispose()
        #expect(ChildProcess.ending.contains(pid))
        kill(-pid, SIGKILL)
        try waitForEnd(of: pid)
    }

    @Test("without grace it is killed at once; without its own process group, alone")
    func withoutGrace() throws {
        var child = sh("trap '' TERM; echo ready; while :; do sleep 1; done")
        child.grace = .zero
        child.hasOwnGroup = false
        let heard = Run(Signals.run(child))
        try heard.wait { $0.values.contains(.output("ready")) }
        let pid = try pid(heard)
        #expect(getpgid(pid) == getpgrp())
        heard.dispose()
        try waitForEnd(of: pid)
    }

    @Test("a child that has joined another group is ended all the same")
    func otherGroup() throws {
        let program =
            "import os,time; os.setpgid(0, os.getpgid(os.getppid())); print('ready', flush=True); time.sleep(600)"
        let heard = Run(Signals.run(ChildProcess("/usr/bin/env", ["python3", "-c", program])))
        try heard.wait { $0.values.contains(.output("ready")) }
        let pid = try pid(heard)
        #expect(getpgid(pid) == getpgrp())
        heard.dispose()
        try waitForEnd(of: pid)
    }

    @Test("an observer that has enough after the first event ends the child")
    func stopping() throws {
        let heard = Run(Signals.run(sh("exec sleep 1000")).take(first: 1))
        try heard.waitForEnd()
        #expect(heard.hasCompleted)
        try waitForEnd(of: try pid(heard))
    }

    @Test("a program that cannot be started is refused by name")
    func refused() throws {
        #expect(try run(ChildProcess("no-such-program")).failure?.description.contains("start no-such-program") == true)
        #expect(try run(ChildProcess("/etc/passwd")).failure?.errno == .permissionDenied)
        var child = sh("true")
        child.workingDirectory = "/nowhere"
        #expect(try run(child).failure?.errno == .noSuchFileOrDirectory)
    }

    @Test("its environment, working directory and the targets of its output")
    func surroundings() throws {
        var child = sh(#"echo "$A-$B-${HOME:-none}"; pwd; echo lost >&2"#)
        child.environment = .only(["A": "1", "B": "x=y"])
        child.workingDirectory = "/usr"
        child.errors = .discarded
        let heard = try run(child)
        #expect(output(heard) == ["1-x=y-none", "/usr"])
        #expect(heard.values.count == 4)
        child.environment = .updating(["A": "2", "HOME": nil])
        #expect(output(try run(child)).first == "2--none")
    }

    @Test("streams are the files of the moment of the start, also where one is another of this process's")
    func exchanged() async {
        await #expect(processExitsWith: .success) {
            var child = ChildProcess("/bin/sh", ["-c", "echo out; echo err >&2"])
            // The parent's standard error.
            child.errors = .descriptor(.standardError)
            child.output = .lines
            let first = Listening(Signals.run(child))
            try first.waitForEnd()
            precondition(first.values.contains(.output("out")) && !first.values.contains(.output("err")))
            let pipe = try FileDescriptor.pipe()
            precondition(dup2(pipe.writeEnd.rawValue, 1) == 1)
            child.errors = .descriptor(.standardOutput)
            let second = Listening(Signals.run(child))
            try second.waitForEnd()
            precondition(second.values.contains(.output("out")) && !second.values.contains(.output("err")))
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = try bytes.withUnsafeMutableBytes { try pipe.readEnd.read(into: $0) }
            precondition(String(decoding: bytes[..<count], as: UTF8.self) == "err\n")
            _exit(0)
        }
    }

    @Test("variables that are kept are kept byte for byte, and a zero byte is no text")
    func bytes() async throws {
        await #expect(processExitsWith: .success) {
            var name: [CChar] = [0x4C, -23, 0]
            precondition(setenv("LATIN", &name, 1) == 0)
            // With the sign before it, the accent is one character.
            precondition(setenv("ACCENT", "\u{301}", 1) == 0)
            var child = ChildProcess("/bin/sh", ["-c", #"printf %s "$LATIN-$NEW$ACCENT" | od -An -tx1"#])
            child.environment = .updating(["NEW": "x", "ACCENT": nil])
            let heard = Listening(Signals.run(child))
            try heard.waitForEnd()
            precondition(heard.values.contains(.output(" 4c e9 2d 78")))
            _exit(0)
        }
        let heard = Run(Signals.run(ChildProcess("/bin/echo", ["a\0b"])))
        try heard.waitForEnd()
        #expect(heard.failure?.errno == .invalidArgument, "\(heard.recorder.events)")
    }

    @Test("a long line arrives in pieces")
    func longLine() throws {
        var child = sh("printf abcdefghij")
        child.lineLimit = 4
        #expect(output(try run(child)) == ["abcd", "efgh", "ij"])
    }

    @Test("two hundred at once")
    func many() throws {
        let heard = (0..<200).map { Run(Signals.run(sh("echo \($0); exit \($0 % 7)"))) }
        for (number, one) in heard.enumerated() {
            try one.waitForEnd()
            #expect(output(one) == ["\(number)"])
            #expect(status(one) == .exited(code: CInt(number % 7)))
        }
    }

    @Test("in a process that ignores SIGCHLD it says why there is no status")
    func statusTaken() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            signal(SIGCHLD, SIG_IGN)
            for _ in 0..<20 {
                let heard = Listening(Signals.run(ChildProcess("/bin/true")))
                try heard.waitForEnd()
                complain(unless: heard.failure?.errno == .noChildProcess, "\(heard.recorder.events)")
            }
        }
        expectNoComplaint(result)
    }

    private func waitForEnd(of pid: pid_t) throws {
        try NewsBoard().waitOrThrow("the end of \(pid)") { kill(pid, 0) != 0 && errno == ESRCH }
        try NewsBoard().waitOrThrow("it to be forgotten") { !ChildProcess.ending.contains(pid) }
    }

    private func state(of pid: pid_t) -> String? {
        let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return text?.split(separator: ")").last?.split(separator: " ").first.map(String.init)
    }

    private func isZombie(_ pid: pid_t) -> Bool { state(of: pid) == "Z" }
}
