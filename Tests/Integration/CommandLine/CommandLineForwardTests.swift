import Foundation
import Glibc
import NATSBridge
import TestSupport
import Testing

@Suite(
    "busctl-rx forward stores each entry at least once",
    .serialized,
    .enabled(if: Command.exists("/usr/sbin/nats-server"), "needs nats-server")
)
struct CommandLineForwardTests {
    /// The stream forgets ids so soon that only what the forwarder itself finds out keeps entries from being stored twice.
    private static let forgetful = #","duplicate_window":100000000"#

    private func forward(_ scene: NATSScene, _ more: String...) throws -> TailProcess {
        try TailProcess(
            ["forward", "--to", scene.server.url, "--subject", "journal.a", "--cursor-file"]
                + [scene.folder.path("cursor"), "--from", "file:\(scene.folder.path("a.journal"))"] + more
        )
    }

    private func journal(_ scene: NATSScene, _ numbers: ClosedRange<Int>) throws -> GrowingJournal {
        var journal = try GrowingJournal(scene.folder.path("a.journal"))
        try journal.append(numbers)
        return journal
    }

    private func saved(_ scene: NATSScene) throws -> Int? {
        let text = try String(contentsOfFile: scene.folder.path("cursor"), encoding: .utf8)
        return text.split(separator: ";").first { $0.hasPrefix("i=") }.flatMap { Int($0.dropFirst(2), radix: 16) }
    }

    @Test("what matches is stored as JSON with its cursor as the id; the place moves on with what does not match")
    func stores() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("JOURNAL", of: "journal.>", Self.forgetful)
        var journal = try journal(scene, 1...1000)
        let first = try forward(scene, "--no-follow", "message.endsWith('7')").end()
        #expect(first == .init(status: 0, output: "", errors: ""))
        #expect(try scene.stored("journal.a") == (1...1000).filter { $0 % 10 == 7 }.map(String.init))
        #expect(try saved(scene) == 1000)
        let second = try forward(scene, "--no-follow", "message.endsWith('7')").end()
        #expect(second == .init(status: 1, output: "", errors: ""))
        // Without the file the stream says how far it came: behind 997.
        try FileManager.default.removeItem(atPath: scene.folder.path("cursor"))
        try journal.append(1001...1010)
        #expect(try forward(scene, "--no-follow", "message.endsWith('7')").end().status == 0)
        #expect(try scene.stored("journal.a").suffix(2) == ["997", "1007"])
        let last = try TailProcess.run("tail", scene.from("journal.a?from=last"), "--no-follow", "-o", "json")
        #expect(last.output.contains(#""headers":{"Nats-Msg-Id":"s="#), "\(last.output)")
    }

    @Test("killed at random moments, nothing is lost and nothing is stored twice")
    func killed() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("JOURNAL", of: "journal.>", Self.forgetful)
        let count = Stress.rounds(3000, stress: 40_000)
        _ = try journal(scene, 1...count)
        var generator = SystemRandomNumberGenerator()
        let first = try forward(scene)
        try await scene.waitForMessage(in: "JOURNAL")
        first.send(SIGKILL)
        _ = try first.end()
        for _ in 0..<Stress.rounds(8, stress: 200) {
            let process = try forward(scene)
            // From before its first connection to the middle of its work.
            try await Task.sleep(for: .microseconds(Int.random(in: 1000...200_000, using: &generator)))
            process.send(SIGKILL)
            _ = try process.end()
        }
        #expect(try forward(scene, "--no-follow").end().errors == "")
        #expect(try scene.stored("journal.a") == (1...count).map(String.init))
        #expect(try saved(scene) == count)
    }

    @Test("the server is killed and comes back, again and again")
    func serverKilled() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("JOURNAL", of: "journal.>", Self.forgetful)
        var journal = try journal(scene, 1...2000)
        let process = try forward(scene)
        try await scene.waitForMessage(in: "JOURNAL")
        for round in 0..<Stress.rounds(3, stress: 20) {
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...100)))
            await scene.server.stop()
            try journal.append(2001 + round * 100...2100 + round * 100)
            try await scene.server.restart()
        }
        process.send(SIGTERM)
        let end = try process.end()
        #expect(end.status == -SIGTERM, "\(end)")
        #expect(try forward(scene, "--no-follow").end().errors == "")
        let last = 2000 + 100 * Stress.rounds(3, stress: 20)
        #expect(Set(try scene.stored("journal.a")) == Set((1...last).map(String.init)))
        #expect(try scene.stored("journal.a").count == last)
    }

    @Test("a server without room is waited for")
    func full() async throws {
        let scene = try await NATSScene("jetstream {\n store_dir: \"FOLDER/store\"\n max_file_store: 512K\n}")
        try await scene.makeStream("JOURNAL", of: "journal.>", Self.forgetful + #","discard":"new""#)
        _ = try journal(scene, 1...5000)
        let process = try forward(scene, "--no-follow")
        try process.wait(forErrors: "insufficient resources; waiting for it\n")
        try await scene.server.restart(NATSScene.configuration)
        let ended = try process.end()
        #expect(ended.status == 0, "\(ended)")
        #expect(try scene.stored("journal.a") == (1...5000).map(String.init))
    }

    @Test("an entry that is refused while later ones are stored is not lost", arguments: [false, true])
    func refusedOnce(isKilled: Bool) async throws {
        let scene = try await NATSScene()
        // The entry of 3 KB finds no room; those behind it do.
        try await scene.makeStream(
            "JOURNAL",
            of: "journal.>",
            Self.forgetful + #","discard":"new","max_bytes":4500"#
        )
        try await scene.store(String(repeating: "-", count: 2000), "journal.other")
        var journal = try GrowingJournal(scene.folder.path("a.journal"))
        try journal.append(1...1, more: ["LONG=" + String(repeating: "x", count: 3000)])
        try journal.append(2...4)
        let first = try forward(scene, "--no-follow")
        try first.wait(forErrors: "maximum bytes exceeded; waiting for it\n")
        if isKilled {
            first.send(SIGKILL)
            _ = try first.end()
        }
        try await scene.changeStream("JOURNAL", of: "journal.>", Self.forgetful + #","discard":"new""#)
        if isKilled {
            #expect(try forward(scene, "--no-follow").end().errors == "")
        } else {
            #expect(try first.end().status == 0)
        }
        #expect(try scene.stored("journal.a").sorted() == ["1", "2", "3", "4"])
        #expect(try saved(scene) == 4)
    }

    @Test("what can never be stored is one line, and status 3; an entry that is too large is left out")
    func refused() async throws {
        let scene = try await NATSScene("max_payload: 4096\n" + NATSScene.configuration)
        var journal = try journal(scene, 1...3)
        let none = try forward(scene, "--no-follow").end()
        #expect(none.status == 3 && none.errors.contains("no stream of JetStream stores the subject"), "\(none)")
        try await scene.makeStream("JOURNAL", of: "journal.>", #","max_msg_size":600"#)
        try journal.append(4...4)
        #expect(try forward(scene, "--no-follow", "message != '2'").end().status == 0)
        #expect(try scene.stored("journal.a") == ["1", "3", "4"])
        try Data("nonsense\n".utf8).write(to: URL(filePath: scene.folder.path("cursor")))
        let wrong = try forward(scene, "--no-follow").end()
        #expect(wrong.status == 3 && wrong.errors.contains("holds no cursor"), "\(wrong)")
        await scene.server.stop()
        for (arguments, text) in [
            (["--to", "http://x", "--subject", "a", "--cursor-file", "c"], "write a server as nats://HOST:PORT"),
            (["--to", "nats://x/y", "--subject", "a", "--cursor-file", "c"], "write the subject with --subject"),
            (["--to", "nats://x", "--subject", "a"], "--cursor-file"),
            (["--to", "nats://x", "--subject", "", "--cursor-file", "c"], "--subject was given an empty name"),
            (["--to", "nats://x", "--subject", "a.>", "--cursor-file", "c"], "so that * and > are not allowed"),
            (["--to", "nats://x", "--subject", "a b", "--cursor-file", "c"], "is not a subject"),
            (["--to", "http://u:secret@x", "--subject", "a", "--cursor-file", "c"], "'http://…@x' is invalid"),
            (["--to", "nats://u:secret@x/s", "--subject", "a", "--cursor-file", "c"], "write the subject with"),
            (
                ["--to", "nats://x", "--subject", "a", "--cursor-file", "c", "--from", "nats://u:secret@h/x"],
                "nats://…@h/x has no place to go on from"
            ),
            (
                ["--to", "nats://x", "--subject", "a", "--cursor-file", "c", "--from", "json:-"],
                "json:- has no place to go on from"
            ),
        ] {
            let ended = try TailProcess.run(["forward"] + arguments)
            #expect(ended.status == 2 && ended.errors.contains(text), "\(ended)")
            #expect(!ended.errors.contains("secret"), "\(ended)")
        }
    }
}
