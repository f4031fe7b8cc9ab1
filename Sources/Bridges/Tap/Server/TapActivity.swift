import Synchronization

/// The load of a tap at one moment.
public struct TapActivity: Sendable, Hashable {
    /// Clients that are connected.
    public let clients: Int
    /// Watches that run. Each hears all values that are posted after it was counted.
    public let watches: Int
    /// Events that watches missed since the tap began, whatever the reason.
    public let lost: Int
}

extension Tap {
    /// The load of the tap at this moment. May be read from any thread.
    public var activity: TapActivity {
        let counts = server.counts
        return TapActivity(
            clients: counts.clients.load(ordering: .relaxed),
            watches: counts.watches.load(ordering: .acquiring),
            lost: counts.lost.load(ordering: .relaxed)
        )
    }
}

/// Written on the tap's thread, read on any.
final class TapCounts: Sendable {
    let clients = Atomic<Int>(0)
    let watches = Atomic<Int>(0)
    let lost = Atomic<Int>(0)
}
