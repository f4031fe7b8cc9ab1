import Bus
import Foundation
import Glibc
import TestSupport

@testable import TapBridge

/// A folder for a socket, removed with its owner.
final class TapFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/tap.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no folder: \(errno)") }
        path = String(cString: made)
        // Others can reach the socket in it; the socket's own mode decides.
        chmod(path, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var socket: String { path + "/tap" }
}

/// A bus that is served until its owner is gone.
final class Served: Sendable {
    let folder = TapFolder()
    let bus = NotificationBus()
    let tap: Tap

    init(_ options: TapOptions = TapOptions()) throws {
        tap = try bus.serve(at: folder.socket, options)
    }

    deinit { tap.dispose() }

    func client() throws -> VarlinkClient { try VarlinkClient(folder.socket) }

    /// How many watches there are.
    var watches: Int { bus.topics.first?.patternSubscribers ?? 0 }
}

extension Served {
    /// Whether anybody watches the existing topics, or could.
    var isWatched: Bool {
        let poster = bus.poster(for: Topic<Int>("x.probe"))
        return poster.isHeard
    }
}

/// Repeats a check until it holds or the run is over. For actions of another thread or process that are not announced.
func waitUntil(_ condition: () -> Bool) {
    while !condition(), !RunLimit.isOver { usleep(1000) }
}
