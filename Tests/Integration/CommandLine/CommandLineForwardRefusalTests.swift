import Foundation
import Glibc
import NATSBridge
import TestSupport
import Testing

@Suite(
    "busctl-rx forward while the server refuses, ends, or has another stream",
    .serialized,
    .enabled(if: Command.exists("/usr/sbin/nats-server"), "needs nats-server")
)
struct CommandLineForwardRefusalTests {
    private func forward(_ scene: NATSScene, _ more: String...) throws -> TailProcess {
        try TailProcess(
            ["forward", "--to", scene.server.url, "--subject", "journal.a", "--cursor-file"]
                + [scene.folder.path("cursor"), "--from", "file:\(scene.folder.path("a.journal"))"] + more
        )
    }

    private func ask(_ scene: NATSScene, _ name: String) async throws {
        let answer = try await scene.nats.request("", to: "$JS.API.\(name)", timeout: .seconds(600))
        #expect(!answer.text.contains("\"error\""), "\(answer.text)")
    }

    private func lines(_ scene: NATSScene) throws -> [String] {
        try String(contentsOfFile: scene.folder.path("cursor"), encoding: .utf8).split(separator: "\n").map(
            String.init
        )
    }

    @Test(
        "an entry that is larger than the whole stream may be is left out",
        arguments: [#""discard":"new""#, #""discard":"old""#, #""storage":"memory","discard":"new""#]
    )
    func larger(settings: String) async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("JOURNAL", of: "journal.>", #","max_bytes":3000,"# + settings)
        var journal = try GrowingJournal(scene.folder.path("a.journal"))
        try journal.append(1...1)
        try journal.append(2...2, more: ["LONG=" + String(repeating: "x", count: 4000)])
        try journal.append(3...3)
        let ended = try forward(scene, "--no-follow").end()
        #expect(ended.status == 0 && ended.errors.split(separator: "\n").count == 1, "\(ended)")
        #expect(ended.errors.contains("is left out") && ended.errors.contains("max_bytes"), "\(ended)")
        #expect(try scene.stored("journal.a") == ["1", "3"])
    }

    @Test("a stream that was made anew is told once, and gets all entries again")
    func another() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("JOURNAL", of: "journal.>")
        var journal = try GrowingJournal(scene.folder.path("a.journal"))
        try journal.append(1...100)
        #expect(try forward(scene, "--no-follow").end().errors == "")
        #expect(try lines(scene).dropFirst().first == "100")
        try await ask(scene, "STREAM.DELETE.JOURNAL")
        try await scene.makeStream("JOURNAL", of: "journal.>")
        // Longer than the one before.
        for number in 1...200 { try await scene.store("\(number)", "journal.b") }
        try journal.append(101...110)
        let second = try forward(scene, "--no-follow").end()
        #expect(second.status == 0 && second.errors.split(separator: "\n").count == 1, "\(second)")
        #expect(second.errors.contains("the stream JOURNAL was made anew: message 100 was acknowledged"), "\(second)")
        #expect(try lines(scene).dropFirst().first == "310")
        #expect(try forward(scene, "--no-follow").end().errors == "")
        #expect(try scene.stored("journal.a") == (1...110).map(String.init))
    }

    @Test("a server that comes back with an earlier copy of its store gets the entries again that it has lost")
    func storePutBack() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("JOURNAL", of: "journal.>")
        var journal = try GrowingJournal(scene.folder.path("a.journal"))
        try journal.append(1...100)
        #expect(try forward(scene, "--no-follow").end().errors == "")
        let (store, copy) = (scene.server.folder + "/store", scene.server.folder + "/copy")
        await scene.server.stop()
        try FileManager.default.copyItem(atPath: store, toPath: copy)
        try await scene.server.restart()
        try journal.append(101...200)
        #expect(try forward(scene, "--no-follow").end().errors == "")
        await scene.server.stop()
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.moveItem(atPath: copy, toPath: store)
        try await scene.server.restart()
        #expect(try scene.stored("journal.a").count == 100)
        let again = try forward(scene, "--no-follow").end()
        #expect(again.status == 0 && again.errors.split(separator: "\n").count == 1, "\(again)")
        #expect(again.errors.contains("message 200 was acknowledged, and it has messages up to 100"), "\(again)")
        #expect(try scene.stored("journal.a") == (1...200).map(String.init))
    }

    @Test("each outage is told once, though nothing was stored in between")
    func outages() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("JOURNAL", of: "journal.>")
        var journal = try GrowingJournal(scene.folder.path("a.journal"))
        try journal.append(1...1)
        let process = try forward(scene, "message == '1'")
        try await scene.waitForMessage(in: "JOURNAL")
        for round in 1...3 {
            await scene.server.stop()
            try process.wait(forErrors: "waiting for it\n", times: round)
            try await scene.server.restart()
            // The entry does not match, but its place is saved once it runs again. That of an earlier one may be saved meanwhile.
            try journal.append(round + 1...round + 1)
            while try lines(scene).first?.contains(";i=\(round + 1);") != true, !RunLimit.isOver {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        process.send(SIGTERM)
        let ended = try process.end()
        #expect(ended.status == -SIGTERM && ended.errors.split(separator: "\n").count == 3, "\(ended)")
    }

    @Test("a stream that is sealed, or does not store the subject any more, or is gone: one line, and status 3")
    func lasting() async throws {
        for change in ["seal", "subject", "delete", "disable"] {
            let scene = try await NATSScene()
            try await scene.makeStream("JOURNAL", of: "journal.>")
            var journal = try GrowingJournal(scene.folder.path("a.journal"))
            try journal.append(1...1)
            let process = try forward(scene)
            try await scene.waitForMessage(in: "JOURNAL")
            switch change {
            case "seal": try await scene.changeStream("JOURNAL", of: "journal.>", #","sealed":true"#)
            case "subject": try await scene.changeStream("JOURNAL", of: "other.>")
            case "delete": try await ask(scene, "STREAM.DELETE.JOURNAL")
            default: try await scene.server.restart("")
            }
            try journal.append(2...2)
            let ended = try process.end()
            #expect(ended.status == 3, "\(change): \(ended)")
            #expect(ended.errors.split(separator: "\n").count <= 2, "\(change): \(ended)")
        }
    }
}
