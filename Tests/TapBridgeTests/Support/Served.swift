import Bus
import TestSupport

@testable import TapBridge

/// A bus that is served until its owner is gone.
final class Served: Sendable {
    let folder = TapFolder()
    let bus = NotificationBus()
    let tap: Tap

    init(_ options: TapOptions = TapOptions()) throws {
        tap = try bus.serve(at: folder.socket, options: options)
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
        return poster.wantsValues
    }
}
