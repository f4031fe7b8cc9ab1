import Bus
import Foundation
import Glibc
import OSSignalBridge
import Testing

/// The tests again, in a process of their own that has the signals blocked from its start, as a daemon has; it listens
/// to them and writes down what it hears. SIGTERM ends it.
final class SignalProbe {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes the probe start a child that exits at once with the value that was sent along.
    static let child: CInt = 60
    static let variable = "BUSCTL_RX_SIGNAL_PROBE"
    static let mainVariable = "BUSCTL_RX_SIGNAL_PROBE_MAIN"

    private(set) var pid: pid_t = 0
    private let reading: CInt
    private var pending = Data()

    /// - Parameter blocksEverywhere: whether all threads block the signals, as where `main` is not asynchronous. Here
    ///   it is, so Dispatch has the main thread wait with nothing blocked.
    init(_ numbers: [CInt], blocksEverywhere: Bool) throws {
        let blocked = numbers + [SIGTERM]
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe, errno \(errno)") }
        reading = ends[0]
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pid = try Self.spawn(writingTo: ends[1], blocking: blocked, blocksEverywhere)
        guard try line() == "listening" else { throw Failure(description: "the probe does not listen") }
    }

    deinit {
        kill(pid, SIGKILL)
        var status: CInt = 0
        waitpid(pid, &status, 0)
        close(reading)
    }

    /// The next thing it wrote; nil when it has ended.
    func line() throws -> String? {
        while true {
            if let end = pending.firstIndex(of: 10) {
                defer { pending.removeSubrange(...end) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 30_000) == 1 else { throw Failure(description: "waited 30 s for the probe") }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(reading, &buffer, buffer.count)
            guard count > 0 else { return nil }
            pending = pending + buffer.prefix(count)
        }
    }

    private static func spawn(writingTo end: CInt, blocking numbers: [CInt], _ everywhere: Bool) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, end, 9)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in numbers { sigaddset(&mask, number) }
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let list = numbers.map(String.init).joined(separator: ",")
        let variables = [variable: list, mainVariable: everywhere ? "blocks" : "waits"]
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let words: [String] = ["probe", "--testing-library", "swift-testing", "--filter", "SignalProbeTests"]
        var argv = words.map { strdup($0) }
        var envp = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in argv + envp { free(pointer) } }
        argv.append(nil)
        envp.append(nil)
        var pid: pid_t = 0
        let code = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, argv, envp)
        guard code == 0 else { throw Failure(description: "the probe does not start, error \(code)") }
        return pid
    }
}

/// Runs in the probe's process alone.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[SignalProbe.variable] != nil))
struct SignalProbeTests {
    @Test func listen() throws {
        // If the test that started it is gone, so is this.
        alarm(120)
        if ProcessInfo.processInfo.environment[SignalProbe.mainVariable] == "blocks" { try blockMainThread() }
        let numbers = (ProcessInfo.processInfo.environment[SignalProbe.variable] ?? "").split(separator: ",")
        let set = try OSSignalSet(numbers.compactMap { CInt($0) })
        let ended = Latch()
        let subscription = Signals.osSignals(set).subscribe(
            next: { signal in
                let words = [signal.number, signal.code, signal.pid, CInt(signal.uid), signal.value, signal.status]
                Self.write(words.map(String.init).joined(separator: " ") + "\n")
                if signal.number == SIGTERM { ended.open() }
                if signal.number == SignalProbe.child { Self.startChild(exiting: signal.value) }
            },
            failed: { error in
                Self.write("\(error)\n")
                ended.open()
            }
        )
        Self.write("listening\n")
        ended.wait()
        subscription.dispose()
    }

    /// Puts the main thread, which only waits, into a handler that never returns and blocks every signal.
    private func blockMainThread() throws {
        signal(SIGURG) { _ in
            var all = sigset_t()
            sigfillset(&all)
            while true { sigsuspend(&all) }
        }
        kill(getpid(), SIGURG)
        let blocked = {
            try String(contentsOfFile: "/proc/self/status", encoding: .utf8).contains("SigBlk:\tfffffffe7ffbfeff")
        }
        for _ in 0..<10_000 where try !blocked() { usleep(1000) }
        guard try blocked() else { throw SignalProbe.Failure(description: "the main thread does not block") }
    }

    private static func startChild(exiting status: CInt) {
        var pid: pid_t = 0
        let words: [String] = ["sh", "-c", "exit \(status)"]
        var argv = words.map { strdup($0) }
        argv.append(nil)
        posix_spawn(&pid, "/bin/sh", nil, nil, argv, nil)
        for pointer in argv { free(pointer) }
    }

    private static func write(_ line: String) {
        let bytes = Array(line.utf8)
        _ = Glibc.write(9, bytes, bytes.count)
    }
}
