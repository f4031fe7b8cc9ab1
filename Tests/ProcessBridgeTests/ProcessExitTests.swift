import TestSupport
import Bus
import BusTesting
import Glibc
import ProcessBridge
import SystemPackage
import Testing

@Suite("The exit of a process")
struct ProcessExitTests {
    private func spawn(_ script: String) throws -> pid_t {
        let words: [String] = ["sh", "-c", script]
        var argv = words.map { strdup($0) }
        argv.append(nil)
        defer { for word in argv { free(word) } }
        var pid: pid_t = 0
        try #require(posix_spawn(&pid, "/bin/sh", nil, nil, argv, nil) == 0)
        return pid
    }

    @Test("a child's status is heard by everybody, and remains available to whoever started it")
    func child() throws {
        let pid = try spawn("exec sleep 1000")
        let heard = (0..<3).map { _ in Listening(Signals.exit(of: pid)) }
        // It has inherited blocked signals.
        kill(pid, SIGKILL)
        for one in heard {
            try one.waitForEnd()
            #expect(one.values == [ProcessExit(pid: pid, status: .signaled(signal: SIGKILL, dumpedCore: false))])
            #expect(one.hasCompleted)
        }
        var status: CInt = 0
        #expect(waitpid(pid, &status, 0) == pid)
    }

    @Test("a child that has already ended is heard at once")
    func already() throws {
        let pid = try spawn("exit 4")
        var info = siginfo_t()
        waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
        let heard = Listening(Signals.exit(of: pid))
        try heard.waitForEnd()
        #expect(heard.values.first?.status == .exited(code: 4))
        waitpid(pid, nil, 0)
        let gone = Listening(Signals.exit(of: pid))
        try gone.waitForEnd()
        #expect(gone.failure?.errno == .noSuchProcess)
    }

    @Test("for a process that is not a child the status is unknown")
    func stranger() throws {
        let child = Listening(Signals.run(ChildProcess("/bin/sh", ["-c", "sleep 1000 >&- 2>&- & echo $!"])))
        try child.waitForEnd()
        let pid = try #require(
            child.values.lazy.compactMap { event -> pid_t? in
                if case .output(let line) = event { return pid_t(line) }
                return nil
            }.first
        )
        let heard = Listening(Signals.exit(of: pid))
        kill(pid, SIGKILL)
        try heard.waitForEnd()
        #expect(heard.values == [ProcessExit(pid: pid, status: nil)])
    }

    @Test("when disposed of before, nothing is heard")
    func disposed() throws {
        let pid = try spawn("exec sleep 1000")
        let heard = Listening(Signals.exit(of: pid))
        let other = Listening(Signals.exit(of: pid))
        heard.dispose()
        kill(pid, SIGKILL)
        try other.waitForEnd()
        ProcessState.settle()
        #expect(heard.recorder.events.isEmpty)
        waitpid(pid, nil, 0)
    }
}
