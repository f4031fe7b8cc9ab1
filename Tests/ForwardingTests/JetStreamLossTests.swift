import Bus
import Foundation
import Glibc
import NATSBridge
import RecordSources
import TestSupport
import Testing

@testable import Forwarding

@Suite(
    "A server that has lost what it acknowledged",
    .serialized,
    .enabled(if: access("/usr/sbin/nats-server", X_OK) == 0, "needs nats-server")
)
struct JetStreamLossTests {
    private static func ids(_ numbers: ClosedRange<Int>) -> [String] { numbers.map(String.init) }

    @Test("the server's store is put back to an earlier copy: what it has lost is sent again, and nothing twice")
    func putBack() async throws {
        let scene = try await JetStreamScene()
        try await scene.forward(600)
        try await scene.copyStore()
        try await scene.forward(900)
        try await scene.putStoreBack()
        #expect(try await scene.stored() == Self.ids(1...600))
        try await scene.forward(950)
        #expect(try await scene.stored() == Self.ids(1...950))
        let told = scene.notes.values
        #expect(
            told == [
                "the stream S has lost messages: message 900 was acknowledged, and it has messages up to 600; entries behind message 600 that it does not have are sent again"
            ]
        )
        try await scene.forward(960)
        #expect(scene.notes.values.count == 1)
        #expect(try await scene.stored() == Self.ids(1...960))
    }

    @Test("the same while it runs: it goes back to a place in the middle of what the run has sent")
    func putBackWhileRunning() async throws {
        let scene = try await JetStreamScene()
        let source = GrowingSource(700)
        let (news, keeper) = try scene.forwarded(source, follow: true)
        let forwarding = news.subscribe(next: { _ in }, failed: { Issue.record("\($0)") })
        defer { forwarding.dispose() }
        try await scene.wait(for: 700, source)
        try await scene.copyStore()
        source.grow(to: 1500)
        try await scene.wait(for: 1500, source)
        try await scene.putStoreBack()
        try await scene.wait(for: 1500, source)
        source.grow(to: 1600)
        try await scene.wait(for: 1600, source)
        let stored = try await scene.stored()
        #expect(Set(stored) == Set(Self.ids(1...1600)) && stored.count == 1600)
        // One mark of each 256 messages, so that a run need not begin with its first one.
        let told = scene.notes.values.filter { $0.contains("has lost messages") }
        let text = try #require(told.first)
        #expect(
            told.count == 1
                && text.contains(
                    "message 1500 was acknowledged, and it has messages up to 700; entries behind message "
                )
        )
        let mark = try #require(
            text.split(separator: "behind message ").last?.split(separator: " ").first.flatMap { Int($0) }
        )
        #expect((256...700).contains(mark), "\(text)")
        _ = keeper
    }

    @Test("messages of others have taken the numbers of lost ones")
    func numbersTaken() async throws {
        let scene = try await JetStreamScene()
        try await scene.forward(50)
        try await scene.copyStore()
        try await scene.forward(80)
        try await scene.putStoreBack()
        try await scene.storeOthers(60)
        try await scene.forward(90)
        #expect(try await scene.stored() == Self.ids(1...90))
        #expect(scene.notes.values.count == 1)
        #expect(
            scene.notes.values[0].contains(
                "message 80 was acknowledged, and another message has the number 80 now; entries behind message 50"
            )
        )
    }

    @Test("a stream that was deleted and made anew gets all entries again")
    func madeAnew() async throws {
        let scene = try await JetStreamScene()
        try await scene.forward(300)
        try await scene.makeStreamAnew()
        try await scene.storeOthers(310)
        try await scene.forward(320)
        #expect(try await scene.stored() == Self.ids(1...320))
        #expect(
            scene.notes.values == [
                "the stream S was made anew: message 300 was acknowledged before, and it has messages up to 310; all entries that it does not have are sent again"
            ]
        )
        try await scene.forward(330)
        #expect(scene.notes.values.count == 1)
        #expect(try await scene.stored() == Self.ids(1...330))
    }

    @Test(
        "the same while it runs: the next entry shows it, or the stream is asked when none comes",
        arguments: [true, false]
    )
    func madeAnewWhileRunning(anEntryComes: Bool) async throws {
        let scene = try await JetStreamScene()
        let source = GrowingSource(300)
        let interval = anEntryComes ? Duration.seconds(600) : .milliseconds(20)
        let (news, keeper) = try scene.forwarded(source, follow: true, checkInterval: interval)
        let forwarding = news.subscribe(next: { _ in }, failed: { Issue.record("\($0)") })
        defer { forwarding.dispose() }
        try await scene.wait(for: 300, source)
        try await scene.makeStreamAnew()
        if anEntryComes { source.grow(to: 301) }
        let count = anEntryComes ? 301 : 300
        try await scene.wait(for: count, source)
        let stored = try await scene.stored()
        #expect(stored.count == count && Set(stored) == Set(Self.ids(1...count)))
        #expect(scene.notes.values.filter { $0.contains("was made anew: message 300 was acknowledged") }.count == 1)
        _ = keeper
    }

    @Test(
        "a cursor file of an earlier version has no history: what lies before its place is not sent again, which is said"
    )
    func earlierVersion() async throws {
        let scene = try await JetStreamScene()
        try await scene.forward(40)
        let lines = try scene.file.readLines()
        #expect(lines.count > 3)
        try scene.file.write(lines.prefix(3).joined(separator: "\n"))
        try await scene.makeStreamAnew()
        try await scene.forward(45)
        #expect(try await scene.stored() == Self.ids(41...45))
        #expect(
            scene.notes.values == [
                "the stream S was made anew: message 40 was acknowledged before, and it has messages up to 0; entries behind 40 that it does not have are sent again; the cursor file holds no earlier place"
            ]
        )
        // From here on it has one.
        try await scene.makeStreamAnew()
        try await scene.forward(50)
        #expect(try await scene.stored() == Self.ids(41...50))
    }

    @Test("messages that were purged or deleted are not sent again", arguments: ["PURGE", "MSG.DELETE"])
    func removed(how: String) async throws {
        let scene = try await JetStreamScene()
        try await scene.forward(30)
        try await scene.ask("STREAM.\(how).S", how == "PURGE" ? "" : #"{"seq":30}"#)
        try await scene.forward(32)
        #expect(scene.notes.values == [])
        #expect(try await scene.stored() == (how == "PURGE" ? ["31", "32"] : Self.ids(1...29) + ["31", "32"]))
    }

    @Test("a stream that was made anew before anything was stored has lost nothing")
    func nothingStored() async throws {
        let scene = try await JetStreamScene()
        try await scene.storeOthers(3)
        try await scene.forward(0)
        try await scene.makeStreamAnew()
        try await scene.forward(2)
        #expect(scene.notes.values == [])
        #expect(try await scene.stored() == ["1", "2"])
    }
}
