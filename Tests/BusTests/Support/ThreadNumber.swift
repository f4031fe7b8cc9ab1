import Foundation

/// A thread of this process by its kernel number, to observe it from another thread.
struct ThreadNumber: Sendable {
    private let stat: String

    /// The calling thread; nil without `/proc`.
    static var current: ThreadNumber? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")).map {
            ThreadNumber(stat: "/proc/\($0)/stat")
        }
    }

    /// Whether it waits for something that does not exist yet, and has nothing to do until then.
    var isAsleep: Bool {
        // The state follows the name. The name is in parentheses and may contain any character.
        let fields = try? String(contentsOfFile: stat, encoding: .utf8).split(separator: ")").last?.split(
            separator: " "
        )
        return fields?.first == "S"
    }
}
