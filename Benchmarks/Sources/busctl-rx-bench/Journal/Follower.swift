import Foundation

/// A program that follows the journal, and the times at which its lines became readable.
final class Follower {
    let name: String
    private let process = Process()
    private let pipe = Pipe()
    private var partial: [UInt8] = []
    private(set) var arrivals: [String: ContinuousClock.Instant] = [:]

    var descriptor: CInt { pipe.fileHandleForReading.fileDescriptor }

    init(_ name: String, _ program: String, _ arguments: [String]) throws {
        self.name = name
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Reads what is available now.
    func read() throws {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        let now = ContinuousClock.now
        guard count > 0 else { throw Complaint("\(name) ended while it should follow") }
        partial += bytes.prefix(count)
        while let end = partial.firstIndex(of: UInt8(ascii: "\n")) {
            arrivals[String(decoding: partial[..<end], as: UTF8.self)] = now
            partial.removeSubrange(...end)
        }
    }

    /// How often its threads have gone to sleep so far. This equals the number of wake-ups.
    func sleeps() throws -> Int {
        let tasks = "/proc/\(process.processIdentifier)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
            let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            guard let count = line?.split(separator: "\t").last.flatMap({ Int($0) }) else {
                throw Complaint("follower: /proc does not tell how often \(name) slept")
            }
            return sum + count
        }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
