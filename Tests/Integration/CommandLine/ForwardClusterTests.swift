import Bus
import Foundation
import Glibc
import NATSBridge
import TestSupport
import Testing

@Suite(
    "busctl-rx forward and a cluster of three nats-servers",
    .enabled(if: Command.exists("/usr/sbin/nats-server"), "needs nats-server")
)
struct ForwardClusterTests {
    private let folder: TemporaryFolder
    private let cluster: TestNATSCluster
    private let nats: NATSConnection

    init() async throws {
        folder = try TemporaryFolder()
        cluster = try await TestNATSCluster.start()
        var options = NATSOptions(servers: cluster.urls)
        options.reconnectWait = .milliseconds(20)
        options.connectTimeout = .seconds(600)
        nats = NATSConnection(options)
    }

    /// Asks until the cluster has an answer without an error.
    private func ask(_ name: String, _ question: String = "") async throws -> String {
        while !RunLimit.isOver {
            let answer = try? await nats.request(question, to: "$JS.API.\(name)", timeout: .seconds(5)).text
            if let answer, !answer.contains("\"error\"") { return answer }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Command.Failure(description: "the cluster does not answer \(name)")
    }

    /// Asks until the stream's description has the member; returns what stands there up to a comma, without quotes.
    private func state(
        _ member: String,
        while process: TailProcess? = nil,
        where isWanted: (String) -> Bool
    ) async throws -> String {
        var answer = ""
        while !RunLimit.isOver {
            if let process, Self.hasEnded(process) {
                throw Command.Failure(description: "the forwarder has ended: \(try process.end())")
            }
            answer = try await ask("STREAM.INFO.JOURNAL")
            let rest = answer.split(separator: "\"\(member)\":", maxSplits: 1).dropFirst()
            let value = rest.first?.prefix { !",}".contains($0) }.filter { !" \"".contains($0) } ?? ""
            if isWanted(value) { return value }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Command.Failure(description: "no wanted \(member) in \(answer); the saved place: \(place)")
    }

    /// The saved place, for a person.
    private var place: String { (try? String(contentsOfFile: folder.path("cursor"), encoding: .utf8)) ?? "none" }

    /// Waits until the stream has so many messages. False when the forwarder is through, and the stream lacks some.
    private func hasAll(_ count: Int, _ process: TailProcess) async throws -> Bool {
        var isThrough = false
        _ = try await state("messages", while: process) { messages in
            if Int(messages) ?? 0 >= count { return true }
            // Saved after the last acknowledgement; so the next answer has every message.
            defer { isThrough = place.contains(";i=\(String(count, radix: 16));") }
            return isThrough
        }
        return try await state("messages") { !$0.isEmpty } == "\(count)"
    }

    private func forward(_ more: String...) throws -> TailProcess {
        try TailProcess(
            ["forward", "--to", cluster.urls.joined(separator: ","), "--subject", "journal.a", "--cursor-file"]
                + [folder.path("cursor"), "--from", "file:\(folder.path("a.journal"))"] + more
        )
    }

    private static func hasEnded(_ process: TailProcess) -> Bool {
        var end = siginfo_t()
        return waitid(P_PID, id_t(process.pid), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_signo != 0
    }

    private func killLeader() async throws {
        let name = try await state("leader") { TestNATSCluster.names.contains($0) }
        let leader = try #require(cluster.server(named: name))
        await leader.stop()
        try await leader.restart()
    }

    @Test("the stream's leader and the forwarder itself are killed twice: each entry is stored once")
    func killed() async throws {
        _ = try await ask(
            "STREAM.CREATE.JOURNAL",
            #"{"name":"JOURNAL","subjects":["journal.>"],"storage":"file","num_replicas":3,"duplicate_window":86400000000000}"#
        )
        let count = Stress.rounds(5000, stress: 100_000)
        var journal = try GrowingJournal(folder.path("a.journal"))
        try journal.append(1...count)
        let start = ContinuousClock.now
        var process = try forward()
        for part in 1...4 {
            _ = try await state("messages", while: process) { Int($0) ?? 0 >= part * count / 5 }
            if part.isMultiple(of: 2) {
                process.send(SIGKILL)
                _ = try process.end()
                process = try forward()
            } else {
                try await killLeader()
            }
        }
        let hasAll = try await hasAll(count, process)
        try process.waitUntilTakingSignals()
        process.send(SIGTERM)
        let ended = try process.end()
        #expect(ended.status == -SIGTERM, "\(ended)")
        let last = try forward("--no-follow").end()
        // On a busy machine the cluster may be looking for a leader still, or find one that lacks messages.
        let errors = last.errors.split(separator: "\n").filter { !$0.hasSuffix("; waiting for it") }
        #expect(last.status == 1 && errors.isEmpty, "\(last)")
        if Stress.isAsked { print("\(count) entries through four kills in \(ContinuousClock.now - start)") }
        // Traced: messages that were acknowledged without a mark as duplicates, and are not in the next leader's stream.
        withKnownIssue("nats-server 2.9.10 can lose with its leader what it has acknowledged", isIntermittent: true) {
            #expect(hasAll)
        }
        if hasAll { try await check(count) }
    }

    /// Reads what the stream has.
    private func check(_ count: Int) async throws {
        // A server that was the leader can show its readers something else for a while.
        var stored = try await stored()
        for _ in 1...10 where stored.map(\.number).sorted() != Array(1...count) { stored = try await self.stored() }
        #expect(stored.map(\.number).sorted() == Array(1...count), "\(stored.count) of \(count)")
        #expect(Set(stored.map(\.id)).count == count)
        if Stress.isAsked {
            let late = zip(stored.dropFirst(), stored).count { $0.number < $1.number }
            print("\(late) of them are stored behind later ones")
        }
    }

    private func stored() async throws -> [(number: Int, id: String)] {
        var stored: [(number: Int, id: String)] = []
        let items = nats.messages(ofStream: "JOURNAL").take(until: { $0 == .caughtUp })
        for try await item in items.values() {
            guard case .message(let delivery) = item else {
                Issue.record("\(item)")
                continue
            }
            let text = delivery.message.text
            let number = Int(text.split(separator: "\"MESSAGE\":\"").last?.prefix { $0.isNumber } ?? "") ?? 0
            stored.append((number, delivery.message.headers["Nats-Msg-Id"] ?? ""))
        }
        return stored
    }
}
