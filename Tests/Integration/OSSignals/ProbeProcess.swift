import Foundation
import Glibc
import TestSupport

/// `signal-probe`, running: a process to send signals to, which reports what it hears. Only one thread may use it.
final class ProbeProcess {
    private static let program = (TailProcess.program as NSString).deletingLastPathComponent + "/signal-probe"

    let pid: pid_t
    private let input: Descriptor?
    private let output: Descriptor?
    private var pending: [UInt8] = []
    /// Where the next line begins in the input read so far.
    private var start = 0
    private var status: CInt?

    /// - Parameters:
    ///   -   - words: the scene and its arguments.
    ///   -   - blocked: signals that are blocked when it starts, as by a careless parent.
    ///   -   - starter: a program and its arguments that start it; `pid` is then that program's.
    init(_ words: [String], blocking blocked: [CInt] = [], under starter: [String] = []) throws {
        // If the process ended early, a test reports an error instead of ending the tests.
        signal(SIGPIPE, SIG_IGN)
        let plan = try SpawnPlan(blocking: blocked)
        input = try plan.connect(.pipe, to: 0)
        output = try plan.connect(.pipe, to: 1)
        let command = starter + [Self.program] + words
        pid = try plan.spawn(command[0], command.dropFirst().map { Array($0.utf8) }, ["LANG": "C"])
    }

    convenience init(_ words: String..., blocking blocked: [CInt] = [], under starter: [String] = []) throws {
        try self.init(words, blocking: blocked, under: starter)
    }

    deinit {
        guard status == nil else { return }
        kill(pid, SIGKILL)
        var status: CInt = 0
        waitpid(pid, &status, 0)
    }

    /// The next line of its output; nil after the last.
    func line() throws -> String? {
        while true {
            if let end = pending[start...].firstIndex(of: 10) {
                defer { start = end + 1 }
                return String(decoding: pending[start..<end], as: UTF8.self)
            }
            pending.removeSubrange(..<start)
            start = 0
            guard let output else { return nil }
            var descriptor = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 1000) == 1 else {
                guard !RunLimit.isOver else {
                    throw Command.Failure(description: "the run is over; waited for signal-probe to say something")
                }
                continue
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(output.number, &buffer, buffer.count)
            guard count > 0 else { return nil }
            pending += buffer.prefix(count)
        }
    }

    /// Its lines up to and including a given one.
    func lines(through last: String) throws -> [String] {
        var lines: [String] = []
        while let line = try line() {
            lines.append(line)
            if line == last { return lines }
        }
        throw Command.Failure(description: "signal-probe ended before it said \(last); it said \(lines.suffix(10))")
    }

    /// Gives it a command.
    func tell(_ command: String) {
        let bytes = Array("\(command)\n".utf8)
        if let input { _ = write(input.number, bytes, bytes.count) }
    }

    /// Gives it a command and returns its next line.
    func ask(_ command: String) throws -> String {
        tell(command)
        guard let line = try line() else {
            throw Command.Failure(description: "signal-probe ended, and did not answer \(command)")
        }
        return line
    }

    /// Repeats the question until the answer is the wanted one.
    func ask(_ command: String, until isWanted: (String) -> Bool) throws -> String {
        var answer = ""
        try Deadline.wait("signal-probe's answer to \(command), which was \(answer)") {
            answer = try ask(command)
            return isWanted(answer)
        }
        return answer
    }

    /// The signal that ended it, or its exit status negated minus one.
    func end() throws -> CInt {
        var status: CInt = 0
        try Deadline.wait("signal-probe to end") { waitpid(pid, &status, WNOHANG) == pid }
        self.status = status
        return status & 0x7f != 0 ? status & 0x7f : -((status >> 8) & 0xff) - 1
    }

    /// Queues a real-time signal. Waits if the kernel's queue is full.
    func queue(_ number: CInt, _ value: CInt) throws {
        try Deadline.wait("room for a signal") {
            if sigqueue(pid, number, sigval(sival_int: value)) == 0 { return true }
            guard errno == EAGAIN else { throw Command.Failure(description: "no sigqueue, errno \(errno)") }
            return false
        }
    }

    /// Waits until the kernel reports it in a state, such as `T` for stopped.
    func wait(forState state: Character) throws {
        try Deadline.wait("signal-probe to be in state \(state)") {
            let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            return stat.split(separator: ")").last?.dropFirst().first == state
        }
    }

    /// Returns once none of the signals sent so far is unread.
    func waitUntilAllIsRead() throws {
        try Deadline.wait("the signals to be read") {
            guard try !hasPendingSignals() else { return false }
            // A signal that interrupted the answering thread is no longer pending until it is passed on. The answer
            // comes after that.
            _ = try ask("report")
            // Another interrupted thread runs until it has passed on its signal.
            return try isAsleep() && !hasPendingSignals() && isAsleep()
        }
    }

    /// Whether all of its threads sleep.
    private func isAsleep() throws -> Bool {
        let tasks = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { thread in
            guard let stat = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8) else {
                return true
            }
            return stat.split(separator: ")").last?.dropFirst().first == "S"
        }
    }

    /// Whether a signal is pending for the process or for one of its threads.
    func hasPendingSignals() throws -> Bool {
        let tasks = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).contains { thread in
            // A thread may have ended meanwhile.
            let status = (try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)) ?? ""
            return status.split(separator: "\n").contains { line in
                (line.hasPrefix("SigPnd:") || line.hasPrefix("ShdPnd:")) && !line.hasSuffix("\t0000000000000000")
            }
        }
    }
}
