import Foundation
import TestSupport
import Testing

/// This process's threads, by name.
enum NamedThreads {
    static func count(_ name: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
            // A thread that has ended meanwhile has no name.
            let found = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return found?.trimmingCharacters(in: .whitespacesAndNewlines) == name
        }
    }

    /// Returns when no thread has that name. The kernel does not announce this, so it is polled.
    static func waitForEnd(of name: String) throws {
        while try count(name) > 0 {
            try #require(!RunLimit.isOver, "the thread \(name) has not ended")
            usleep(1000)
        }
    }
}
