import Bus
import BusTesting
import Foundation
import NATSBridge
import TestSupport
import Testing
import Timers

@Suite("JetStream of a cluster of three nats-servers")
struct ClusterTests {
    private static func message(_ number: Int) -> NATSMessage {
        NATSMessage(subject: "flow", payload: Array("\(number)".utf8))
    }

    /// Asks until the cluster has an answer without an error.
    private static func ask(_ nats: NATSConnection, _ body: String, _ subject: String) async throws -> String {
        while true {
            do {
                let answer = try await nats.request(body, to: subject, timeout: .seconds(5)).text
                if !answer.contains("\"error\"") || RunLimit.isOver { return answer }
            } catch is NATSError {
                if RunLimit.isOver { throw CancellationError() }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The name of the stream's leader, once it has one.
    private static func leader(_ nats: NATSConnection) async throws -> String {
        while true {
            let answer = try await ask(nats, "", "$JS.API.STREAM.INFO.FLOW")
            let rest = answer.split(separator: "\"leader\":", maxSplits: 1).dropFirst().first ?? ""
            let name = rest.drop { $0 == " " || $0 == "\"" }.prefix { $0 != "\"" }
            if TestNATSCluster.names.contains(String(name)) { return String(name) }
            guard !RunLimit.isOver else { throw CancellationError() }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Stores all, whatever happens, and starts again behind what is known to be stored. The ids keep a message from being stored twice.
    private static func store(_ count: Int, _ nats: NATSConnection, _ acknowledged: Lock<Set<UInt64>>) async throws {
        let window = 256
        var hasEnded = false
        while !RunLimit.isOver {
            let known = acknowledged.withLock { $0.count }
            if known == count { return }
            do {
                // A message whose acknowledgement was lost may be far behind those that are known.
                let source = Signals.from(((hasEnded ? 0 : max(0, known - window))..<count).map(message))
                    .publishAcknowledged(over: nats, maxPending: window, timeout: .seconds(20)) { $0.text }
                for try await stored in source.values() {
                    _ = acknowledged.withLock { $0.insert(stored.sequence) }
                }
                hasEnded = true
            } catch {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    @Test(
        "The stream's leader is killed while messages flow: each is stored once, and a reader hears each once, in order"
    )
    func leaderKilled() async throws {
        let cluster = try await TestNATSCluster.start()
        var options = NATSOptions(servers: cluster.urls)
        options.reconnectWait = .milliseconds(20)
        options.connectTimeout = .seconds(600)
        let (sending, asking, reading) = (
            NATSConnection(options), NATSConnection(options), NATSConnection(options)
        )
        _ = try await Self.ask(
            asking,
            #"{"name":"FLOW","subjects":["flow"],"storage":"file","num_replicas":3,"duplicate_window":86400000000000}"#,
            "$JS.API.STREAM.CREATE.FLOW"
        )
        let heard = Heard<NATSStreamItem>()
        // On a busy machine the first answer can take longer than the reading waits.
        let subscription = reading.messages(ofStream: "FLOW").retry(backoff: .constant(.milliseconds(20))) {
            $0.reason == .timedOut && heard.values.isEmpty
        }.subscribe(
            next: { heard.append($0) },
            failed: { Issue.record("the reading has failed: \($0)") }
        )
        let count = Stress.rounds(3000, stress: 200_000)
        let acknowledged = Lock<Set<UInt64>>([])
        let start = ContinuousClock.now
        async let storing: Void = Self.store(count, sending, acknowledged)
        var kills = 0
        for part in 1...2 {
            await until { acknowledged.withLock { $0.count } >= part * count / 3 }
            let name = try await Self.leader(asking)
            let server = try #require(cluster.server(named: name))
            await server.stop()
            try await server.restart()
            kills += 1
        }
        try await storing
        let time = ContinuousClock.now - start
        if Stress.isAsked { print("\(count) messages through \(kills) kills of the leader in \(time)") }
        await until { heard.values.count { $0.message != nil } >= count }
        let messages = heard.values.compactMap(\.message)
        #expect(messages.map(\.sequence) == (1...UInt64(count)).map { $0 })
        #expect(Set(messages.map(\.message.text)).count == count)
        #expect(acknowledged.withLock { $0 } == Set(1...UInt64(count)))
        #expect(!heard.values.contains { if case .gap = $0 { true } else { false } })
        subscription.dispose()
    }
}

extension NATSStreamItem {
    fileprivate var message: NATSDelivery? { if case .message(let delivery) = self { delivery } else { nil } }
}
