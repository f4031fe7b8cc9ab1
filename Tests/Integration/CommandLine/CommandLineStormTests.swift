import Foundation
import Glibc
import NATSBridge
import TestSupport
import Testing

@Suite(
    "busctl-rx forward and tail while a nats-server is killed again and again",
    .enabled(if: Command.exists("/usr/sbin/nats-server"), "needs nats-server")
)
struct CommandLineStormTests {
    @Test("each entry is stored once and heard once, in the journal's order; both go on after each restart")
    func storm() async throws {
        let seed = UInt64.random(in: 0...999_999)
        print("storm of nats-server: seed \(seed)")
        var random = SeededGenerator(seed)
        let scene = try await NATSScene()
        // The server forgets the ids soon. The forwarder itself has to find out which entries are stored.
        try await scene.makeStream("JOURNAL", of: "journal.>", #","duplicate_window":100000000"#)
        var journal = try GrowingJournal(scene.folder.path("a.journal"))
        let (rounds, part) = (Stress.rounds(5, stress: 40), 500)
        try journal.append(1...part)
        let forward = try TailProcess(
            ["forward", "--to", scene.server.url, "--subject", "journal.a", "--cursor-file"]
                + [scene.folder.path("cursor"), "--from", "file:\(scene.folder.path("a.journal"))"]
        )
        let tail = try TailProcess(["tail", scene.from("journal.a?from=first"), "--reconnect", "-o", "cat"])
        try tail.wait(forOutput: "1\n")
        for round in 1...rounds {
            try await Task.sleep(for: .milliseconds(random.number(0..<300)))
            await scene.server.stop()
            try journal.append(round * part + 1...(round + 1) * part)
            if random.chance(50) { try await Task.sleep(for: .milliseconds(random.number(0..<300))) }
            try await scene.server.restart()
            // At times both have all before the next outage.
            if random.chance(30) { try tail.wait(forOutput: "\n\((round + 1) * part)\n") }
        }
        let count = (rounds + 1) * part
        try tail.wait(forOutput: "\n\(count)\n")
        forward.send(SIGTERM)
        #expect(try forward.end().status == -SIGTERM)
        let heard = try tail.interrupt().output.split(separator: "\n").map(String.init)
        let numbers = (1...count).map(String.init)
        #expect(heard == numbers, "seed \(seed): \(heard.count) heard, \(Set(heard).count) of \(count)")
        #expect(try scene.stored("journal.a") == numbers, "seed \(seed)")
    }
}
