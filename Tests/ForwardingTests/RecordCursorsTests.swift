import Bus
import FileBridge
import Foundation
import NATSBridge
import RecordSources
import Records
import SystemPackage
import TestSupport
import Testing

@testable import Forwarding

@Suite("Cursors of records")
struct RecordCursorsTests {
    private func record(_ message: String, _ fields: KeyValuePairs<String, RecordFields.Value> = [:]) -> Record {
        Record(source: "a", time: .now, sequence: 1, content: RecordFields(message: message, fields))
    }

    private let place = "inode=1;offset=4;tail=4:9c1f0a77d2e4b815"

    @Test("records at the same place have different cursors if anything else of them differs")
    func differing() {
        func cursor(of record: Record, behind: [Record] = [], beginning: UInt64 = 7) -> String {
            var cursors = RecordCursors(behind: nil, beginning: beginning)
            for record in behind { _ = cursors.cursor(of: record, at: "before") }
            return cursors.cursor(of: record, at: place)
        }
        let line = record("a")
        let all = [
            cursor(of: line), cursor(of: line, beginning: 8), cursor(of: record("b")),
            cursor(of: line, behind: [line]), cursor(of: line, behind: [line, line]),
            cursor(of: line, behind: [record("b")]), cursor(of: record("a", ["x": .text("y")])),
            cursor(of: record("a", ["xy": .text("")])), cursor(of: record("a", ["x": .int(1)])), cursor(of: record("")),
        ]
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { RecordCursors.place(in: $0) == place })
        #expect(cursor(of: line) == all[0])
    }

    @Test("behind a saved cursor, also of records that are not forwarded, the same records have the same cursors")
    func again() {
        var first = RecordCursors(behind: nil, beginning: 7)
        let saved = [first.cursor(of: record("a"), at: place), first.cursor(at: "behind")]
        let next = first.cursor(of: record("b"), at: "next")
        for cursor in saved {
            var second = RecordCursors(behind: cursor, beginning: 8)
            #expect(second.cursor(of: record("b"), at: "next") == next)
        }
    }

    @Test(
        "a cursor of an earlier version is a place",
        arguments: ["inode=1;offset=4;tail=4:9c1f0a77d2e4b815", "sequence=4;made=x", "a", "", ";record=", ";record=x"]
    )
    func earlier(text: String) {
        #expect(RecordCursors.place(in: text) == text)
        let cursors = RecordCursors(behind: text, beginning: 0xAB)
        #expect(cursors.cursor(at: "b") == "b;record=ab")
        #expect(RecordCursors.place(in: RecordCursors(behind: nil, beginning: 1).cursor(at: text)) == text)
    }
}

@Suite(
    "Logs that a stream could take for another",
    .serialized,
    .enabled(if: access("/usr/sbin/nats-server", X_OK) == 0, "needs nats-server")
)
struct RecordCursorsInStreamTests {
    private let folder: TestFolder
    private let scene: JetStreamScene

    init() async throws {
        (folder, scene) = (try TestFolder(), try await JetStreamScene())
    }

    private func forwarded(
        _ name: String,
        follow: Bool = false
    ) throws -> (news: AnySignal<Forwarder.News, ForwardError>, keeper: PlaceKeeper) {
        let file = CursorFile(path: folder.file("\(name).cursor").string)
        let keeper = PlaceKeeper(file)
        var request = SourceRequest(name: "log", on: scene.worker)
        request.follows = follow
        let sink = JetStreamSink(try NATSAddress.parse(scene.server.url[...]).address, subject: "journal.a")
        let source = LineRecords(.lines, of: folder.file(name).string)
        let news = Forwarder(to: sink, from: source, request: request, on: scene.worker)
            .forwarded(from: try ForwardPlace(file), keep: keeper, note: scene.notes.append)
        return (news, keeper)
    }

    private func forward(_ name: String) async throws {
        let (news, keeper) = try forwarded(name)
        for try await _ in news.values() {}
        #expect(keeper.finish() == nil)
    }

    @Test("a log that is truncated and written anew is stored whole, also if lines have the same length and end")
    func truncated() async throws {
        let end = String(repeating: "x", count: 80)
        try folder.shell("echo 'a\(end)' >log")
        let (news, keeper) = try forwarded("log", follow: true)
        let stored = Heard<Forwarder.News>()
        let forwarding = news.subscribe(
            next: { if case .stored = $0 { stored.append($0) } },
            failed: { Issue.record("\($0)") }
        )
        await until { stored.values.count == 1 }
        for (number, start) in ["b", "a", "a"].enumerated() {
            try folder.shell(": >log")
            await until { scene.notes.values.filter { $0.contains("truncated") }.count == number + 1 }
            try folder.shell("echo '\(start)\(end)' >>log")
            await until { stored.values.count == number + 2 }
        }
        forwarding.dispose()
        #expect(keeper.finish() == nil)
        let ids = try await scene.stored()
        #expect(ids.count == 4 && Set(ids.map { RecordCursors.place(in: $0) }).count == 1, "\(ids)")
    }

    @Test("of two paths, lines at places with the same inode, offset and end are stored both")
    func paths() async throws {
        try folder.shell("echo line >log; ln log other")
        try await forward("log")
        try await forward("other")
        let ids = try await scene.stored()
        #expect(ids.count == 2 && Set(ids.map { RecordCursors.place(in: $0) }).count == 1, "\(ids)")
    }

    @Test("lines that are sent again from an earlier place are not stored twice")
    func again() async throws {
        try folder.shell("echo 1 >log")
        try await forward("log")
        try folder.shell("cp log.cursor saved; echo 2 >>log; mv log log.1; echo 3 >log")
        try await forward("log")
        #expect(try await scene.stored().count == 3)
        try folder.shell("cp saved log.cursor; echo 4 >>log")
        try await forward("log")
        let ids = try await scene.stored()
        #expect(ids.count == 4 && Set(ids).count == 4, "\(ids)")
    }
}
