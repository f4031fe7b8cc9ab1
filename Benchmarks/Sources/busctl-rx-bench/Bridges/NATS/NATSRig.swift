import Bus
import Foundation
import NATSBridge

/// A server, and a connection to it by each side.
struct NATSRig {
    let server: NATSServer
    let bare: BareNATS
    let connection: NATSConnection
    let settings: Settings

    init(_ settings: Settings) throws {
        try FileManager.default.createDirectory(atPath: settings.cache, withIntermediateDirectories: true)
        self.settings = settings
        server = try NATSServer(settings)
        bare = try BareNATS(server)
        connection = NATSConnection(NATSOptions(server.url))
    }

    /// Adds a contest by both clocks.
    ///
    /// - Parameters:
    ///   - times: how often libnats's processor time it may take.
    ///   - wall: how often libnats's time by the clock it may take; nil without a bound.
    func measure(_ contest: Contest, atMost times: Double, wall: Double? = nil, _ report: inout Report) throws {
        let (byTheClock, processor) = try contest.runOnBothClocks(settings)
        let isEnforced = !settings.isQuick && !settings.isBesideOtherWork
        let bounds = wall.map {
            [Bound(name: "\(contest.name): wall", limit: .timesFloor(atMost: $0), isEnforced: isEnforced)]
        }
        report.add(byTheClock, bounds: bounds ?? [])
        report.add(processor, bounds: [Bound(name: contest.name, limit: .timesFloor(atMost: times))])
    }
}

extension Signal where Failure == NATSError {
    /// Adds up the numbers of `count` values.
    func add(
        _ count: Int,
        to heard: NATSAwaited,
        _ number: @escaping @Sendable (Value) -> Int?
    ) -> any Disposable {
        subscribe(
            next: { value in
                if let number = number(value) { heard.add(number, of: count) }
            },
            failed: { heard.end("\($0)") },
            completed: { heard.end("the signal has ended") },
            lost: { heard.end("\($0) messages were lost") }
        )
    }
}
