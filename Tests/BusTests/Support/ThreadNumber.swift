import Foundation

/// A thread of this process as the kernel knows it, to look at it from another.
struct ThreadNumber: Sendable {
    private let stat: String

    /// The calling thread; nil without `/proc`.
    static var current: ThreadNumber? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")).map {
            ThreadNumber(stat: "/proc/\($0)/stat")
        }
    }

    /// Whether it waits for something that is not there yet, and has nothing to do until then.
    var isAsleep: Bool {
        // The state follows the name, which is in parentheses and may have any character in it.
        let fields = try? String(contentsOfFile: stat, encoding: .utf8).split(separator: ")").last?.split(
            separator: " "
        )
        return fields?.first == "S"
    }
}
