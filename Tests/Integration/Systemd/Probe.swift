import Foundation
import Glibc
import TestSupport

/// A program of the tests, running. Its output is read after it has ended.
final class Probe {
    /// The folder of the test's bundle.
    static let folder: String = {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (runner as NSString).deletingLastPathComponent
    }()

    let pid: pid_t
    private let output: TemporaryFolder
    private var status: Int32?

    /// - Parameters:
    ///   -   - passed: descriptors that it is started with, from number 3 on.
    init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        passing passed: [Int32] = []
    ) throws {
        output = try TemporaryFolder()
        let plan = try SpawnPlan()
        _ = try plan.connect(.file("/dev/null"), to: 0)
        let path = output.path("output")
        try Data().write(to: URL(filePath: path))
        _ = try plan.connect(.file(path), to: 1)
        // The same file at the same place: with one of its own, each would write over the other's lines.
        plan.pass(1, as: 2)
        for (index, descriptor) in passed.enumerated() { plan.pass(descriptor, as: Int32(3 + index)) }
        var environment = environment.merging(sanitizerOptions) { own, _ in own }
        environment["PATH"] = "/usr/bin:/bin"
        pid = try plan.spawn(program, arguments.map { Array($0.utf8) }, environment)
    }

    deinit {
        guard status == nil else { return }
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// Its output so far.
    var said: String { (try? String(contentsOfFile: output.path("output"), encoding: .utf8)) ?? "" }

    /// Whether it is still running.
    var isRunning: Bool {
        guard status == nil else { return false }
        var info = siginfo_t()
        let found = waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT)
        return found == 0 && info.si_signo == 0
    }

    /// Waits for its end. Returns the exit status, or the signal that ended it as a negative number.
    @discardableResult
    func end() throws -> Int32 {
        try Deadline.wait("\(pid) to end; so far it said \(said)") {
            var code: Int32 = 0
            guard waitpid(pid, &code, WNOHANG) == pid else { return false }
            status = code & 0x7F == 0 ? (code >> 8) & 0xFF : -(code & 0x7F)
            return true
        }
        return status ?? -1
    }

    /// Runs it to its end and returns its lines.
    static func lines(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        passing passed: [Int32] = []
    ) throws -> [String] {
        let probe = try Probe(program, arguments, environment: environment, passing: passed)
        let status = try probe.end()
        guard status == 0 else { throw Command.Failure(description: "ended with \(status): \(probe.said)") }
        return probe.said.split(separator: "\n").map { String($0) }
    }
}
