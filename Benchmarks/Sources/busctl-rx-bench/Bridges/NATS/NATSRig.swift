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

    /// Adds a contest by both clocks. The bound is on the processor time.
    func measure(_ contest: Contest, atMost times: Double, _ report: inout Report) throws {
        let (wall, processor) = try contest.runOnBothClocks(settings)
        report.add(wall)
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
