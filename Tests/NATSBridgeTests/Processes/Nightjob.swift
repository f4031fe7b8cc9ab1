import Foundation
import TestSupport
import Testing

/// Instances of the example `nightjob`, as processes of their own, which can be killed, stopped and ended.
// Unchecked: used by one task.
final class Nightjob: @unchecked Sendable {
    static let count = 3

    private let testFolder: TestFolder
    let folder: String
    private let arguments: [String]
    private var processes: [Process?] = Array(repeating: nil, count: count)
    private var stopped: [Int: ContinuousClock.Instant] = [:]
    private var outputs: [String] = []

    /// - Parameters:
    ///   - place: where lease and store are; nil for a folder.
    ///   - repeats: whether interrupted runs run again.
    init(at place: String?, repeats: Bool, timeToLive: Duration) throws {
        testFolder = try TestFolder()
        folder = "\(testFolder.path)"
        let (seconds, _) = timeToLive.components
        let place = place ?? folder
        arguments = ["*:*:*", folder + "/outcomes", place, repeats ? "again" : "once", "\(seconds)"]
    }

    deinit {
        for process in processes { if let process { kill(process.processIdentifier, SIGKILL) } }
    }

    var outcomes: String { text(folder + "/outcomes") }

    /// What all of them have said.
    var said: String { outputs.map { text($0) }.joined() }

    private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// Starts those that do not run.
    func start(_ indices: Range<Int> = 0..<count) throws {
        for index in indices where processes[index] == nil {
            let output = "\(folder)/output-\(outputs.count)"
            guard FileManager.default.createFile(atPath: output, contents: nil) else {
                throw CocoaError(.fileWriteUnknown)
            }
            outputs.append(output)
            let process = Process()
            process.executableURL = try Self.program
            process.arguments = arguments
            // Swift's program that prints a crash waits for ever when the crashed process ends meanwhile. It would keep open
            // the descriptor by whose closing `Process` hears of that end.
            process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
            process.standardError = process.standardOutput
            try process.run()
            processes[index] = process
        }
    }

    private static var program: URL {
        get throws {
            let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let places = ([bundle] + CommandLine.arguments).lazy.map {
                URL(filePath: $0).deletingLastPathComponent().appending(path: "nightjob")
            }
            guard let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
                throw CocoaError(.fileNoSuchFile)
            }
            return place
        }
    }

    /// Kills one as a crash does.
    func crash(_ index: Int) async {
        guard let process = processes[index] else { return }
        kill(process.processIdentifier, SIGKILL)
        await offThePool { process.waitUntilExit() }
        processes[index] = nil
        stopped[index] = nil
    }

    /// Stops one until ``resume(at:)`` comes to that time.
    func stop(_ index: Int, until end: ContinuousClock.Instant) {
        guard let process = processes[index] else { return }
        kill(process.processIdentifier, SIGSTOP)
        stopped[index] = end
    }

    /// Stops one, and returns when it has stopped.
    func stop(_ index: Int) async {
        guard let process = processes[index] else { return }
        stop(index, until: .now + .seconds(3600))
        let tasks = "/proc/\(process.processIdentifier)/task"
        await until {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
            // The state stands behind the name, which is in parentheses.
            return threads.allSatisfy { thread in
                let text = (try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8)) ?? ""
                return text.split(separator: ") ").last?.hasPrefix("T") ?? true
            }
        }
    }

    /// Lets those go on whose time has come.
    func resume(at now: ContinuousClock.Instant) {
        for (index, end) in stopped where end <= now {
            if let process = processes[index] { kill(process.processIdentifier, SIGCONT) }
            stopped[index] = nil
        }
    }

    /// Asks one to end, and waits for that. Returns its status.
    func end(_ index: Int) async -> Int32 {
        guard let process = processes[index] else { return 0 }
        resume(at: .now + .seconds(3600))
        process.terminate()
        await offThePool { process.waitUntilExit() }
        processes[index] = nil
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
