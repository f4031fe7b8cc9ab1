import Bus
import BusTesting
import NATSBridge
import TestSupport
import Testing

@testable import Forwarding
@testable import busctl_rx

@Suite("What a stream has behind the saved place")
struct ForwardStateTests {
    @Test("more messages behind the place than can be remembered are told")
    func known() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("JOURNAL", of: "journal.>")
        for number in 1...12 {
            let message = NATSMessage(subject: "journal.a")
            _ = try await scene.nats.publishAcknowledged(message, id: "\(number)", timeout: .seconds(600))
        }
        let server = try NATSAddress.parse(scene.server.url[...]).address
        func reports(_ most: Int, _ sequence: UInt64) async throws -> [String] {
            try await JetStreamSink(server, subject: "journal.a", maxKnown: most).connection()
                .begin(from: #require(ForwardPlace(cursor: "c", sequence: sequence))).notes
        }
        // In bytes, with about a hundred for each.
        #expect(try await reports(1_200, 0) == [])
        #expect(try await reports(800, 4) == [])
        let told = try await reports(500, 0)
        #expect(
            told.count == 1 && told[0].contains("more messages behind the saved place than are remembered (6)"),
            "\(told)"
        )
        // A file of an earlier version, and a stream that has fewer messages.
        let fewer = try await reports(1_200, 13)
        let text = "the stream JOURNAL has lost messages: message 13 was acknowledged, and it has messages up to 12"
        #expect(fewer.count == 1 && fewer[0].hasPrefix(text), "\(fewer)")
    }
}
