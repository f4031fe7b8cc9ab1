import Bus
import BusTesting
import Foundation
import TestSupport
import Testing

@testable import NATSBridge

@Suite("The reading of a stream while the stream, the server or the permissions get in the way")
struct StreamReadingTests {
    private static let configuration = #"jetstream { store_dir: "FOLDER/store" }"#

    private func makeStream(_ nats: NATSConnection, _ settings: String = "") async throws {
        try await ask(nats, "STREAM.CREATE.ORDERS", #"{"name":"ORDERS","subjects":["orders.*"]\#(settings)}"#)
    }

    private func ask(_ nats: NATSConnection, _ name: String, _ question: String = "") async throws {
        let answer = try await nats.request(question, to: "$JS.API.\(name)", timeout: .seconds(600))
        #expect(!answer.text.contains("\"error\""), "\(answer.text)")
    }

    private func store(_ numbers: ClosedRange<Int>, _ nats: NATSConnection) async throws {
        let messages = numbers.map { NATSMessage(subject: "orders.new", payload: Array("\($0)".utf8)) }
        _ = try await Signals.from(messages).publishAcknowledged(over: nats, timeout: .seconds(600))
            .collected(limit: .max)
    }

    /// Hears the first message, and the others when the latch opens.
    private func reader(
        _ nats: NATSConnection,
        _ hold: Latch,
        until isLast: @escaping @Sendable (NATSStreamItem) -> Bool
    ) -> Recorder<NATSStreamItem, NATSError> {
        Recorder(
            nats.messages(ofStream: "ORDERS", on: ThreadScheduler(name: "held")).take(
                until: isLast,
                includingMatch: true
            ),
            onNext: { _ in
                hold.wait()
                return .more
            }
        )
    }

    private func numbers(_ items: [NATSStreamItem]) -> [UInt64] {
        items.compactMap { item in if case .message(let delivery) = item { delivery.sequence } else { nil } }
    }

    private func gaps(_ items: [NATSStreamItem]) -> [UInt64?] {
        items.compactMap { item in if case .gap(let lost) = item { .some(lost) } else { nil } }
    }

    /// Purges the stream of 1,000 messages when a reader has heard the first; returns all that the reader heard.
    private func readingPurged(_ question: String) async throws -> [NATSStreamItem] {
        let server = try await TestNATSServer.start(Self.configuration)
        let nats = server.connection()
        try await makeStream(nats)
        try await store(1...1000, nats)
        let hold = Latch()
        let recorder = reader(server.connection(), hold) { $0 == .caughtUp }
        await until { recorder.valueCount == 1 }
        try await ask(nats, "STREAM.PURGE.ORDERS", question)
        hold.open()
        await offThePool { recorder.waitForEnd() }
        return recorder.values
    }

    @Test("All that is left of the stream is purged: a gap, then caughtUp")
    func purgedToTheEnd() async throws {
        let items = try await readingPurged("")
        let heard = numbers(items)
        #expect(heard == Array(1...UInt64(heard.count)) && heard.count < 1000)
        #expect(gaps(items) == [1000 - UInt64(heard.count)])
        #expect(items.suffix(1) == [.caughtUp])
    }

    @Test("A part of the stream is purged while it is read: a gap of as many messages")
    func purgedInTheMiddle() async throws {
        let items = try await readingPurged(#"{"seq":900}"#)
        let heard = numbers(items)
        #expect(heard == Array(1...UInt64(heard.count - 101)) + Array(900...1000))
        #expect(gaps(items) == [UInt64(1000 - heard.count)])
    }

    @Test("The server is restarted while a stream is read: reading goes on behind the last message")
    func restarted() async throws {
        let server = try await TestNATSServer.start(Self.configuration)
        let nats = server.connection()
        try await makeStream(nats)
        try await store(1...1000, nats)
        let hold = Latch()
        let recorder = reader(server.connection(), hold) { item in
            if case .message(let delivery) = item { delivery.sequence == 1010 } else { false }
        }
        await until { recorder.valueCount == 1 }
        await server.stop()
        try await server.restart()
        hold.open()
        await until { numbers(recorder.values).count >= 1000 }
        await server.stop()
        try await server.restart()
        try await nats.flush(timeout: .seconds(600))
        try await store(1001...1010, nats)
        await offThePool { recorder.waitForEnd() }
        #expect(numbers(recorder.values) == Array(1...1010) && gaps(recorder.values).isEmpty)
    }

    @Test(
        "The server comes back without the stream, which is made anew: a gap, then all of the new stream",
        arguments: [10, 1500]
    )
    func madeAnew(count: Int) async throws {
        let server = try await TestNATSServer.start(Self.configuration)
        let nats = server.connection()
        try await makeStream(nats)
        try await store(1...1000, nats)
        let recorder = Recorder(
            server.connection().messages(ofStream: "ORDERS").take(
                until: { item in
                    if case .message(let delivery) = item { delivery.message.text == "last" } else { false }
                },
                includingMatch: true
            )
        )
        await until { recorder.values.contains(.caughtUp) }
        let asked = Heard<NATSMessage>()
        let listening = nats.messages(to: "$JS.API.STREAM.INFO.ORDERS")
            .subscribe(next: { asked.append($0) }, failed: { Issue.record("\($0)") })
        try await nats.flush(timeout: .seconds(600))
        await server.stop()
        try FileManager.default.removeItem(atPath: server.folder + "/store")
        try await server.restart()
        // The second question shows that the answer to the first was heard.
        await until { asked.values.count >= 2 || recorder.hasEnded }
        try await nats.flush(timeout: .seconds(600))
        try await makeStream(nats)
        if count > 1 { try await store(2001...2000 + count - 1, nats) }
        let last = NATSMessage(subject: "orders.new", payload: Array("last".utf8))
        _ = try await nats.publishAcknowledged(last, timeout: .seconds(600))
        await offThePool { recorder.waitForEnd() }
        listening.dispose()
        let numbers = (1...1000).map { UInt64($0) } + (1...count).map { UInt64($0) }
        #expect(self.numbers(recorder.values) == numbers && gaps(recorder.values) == [nil])
        #expect(recorder.values.dropFirst(1001).first == .gap(lost: nil))
    }

    @Test(
        "A stream that is made anew between its description and the making of the consumer is read from its first message"
    )
    func madeAnewMeanwhile() async throws {
        // The test answers in JetStream's place.
        let server = try await TestNATSServer.start()
        let (jetStream, nats) = (server.connection(), server.connection())
        let asked = Heard<String>()
        let answers = jetStream.replies(to: "$JS.API.>", maxConcurrent: 1) { request in
            asked.append(request.subject + " " + request.text)
            let descriptions = asked.values.count { $0.contains("STREAM.INFO") }
            guard request.subject.contains("STREAM.INFO") else { return NATSReply(#"{"num_pending":0}"#) }
            let made = descriptions == 1 ? "2026-01-01T00:00:00Z" : "2026-01-01T00:00:01Z"
            return NATSReply(#"{"created":"\#(made)","config":{},"state":{"first_seq":1,"last_seq":5}}"#)
        }
        .subscribe(next: { _ in }, failed: { Issue.record("\($0)") })
        try await jetStream.flush(timeout: .seconds(600))
        let recorder = Recorder(nats.messages(ofStream: "ORDERS", from: .after(3)))
        await until { asked.values.count >= 6 }
        await until { recorder.values.contains { $0 == .gap(lost: nil) } }
        recorder.dispose()
        answers.dispose()
        let consumers = asked.values.filter { $0.contains("CONSUMER.CREATE") }
        #expect(consumers.count == 2 && gaps(recorder.values) == [nil])
        #expect(consumers.first?.contains(#""opt_start_seq":4"#) == true)
        #expect(consumers.last?.contains(#""deliver_policy":"all""#) == true)
    }

    @Test("A reading waits for a stream that is not there for as long as it may, if the stream was there")
    func patience() {
        let position = NATSStreamPosition(.first, patience: .seconds(30))
        let second: Int64 = 1_000_000_000
        let missing = NATSError.Reason.jetStream(code: 10059, text: "stream not found")
        #expect(!position.outlasts(missing, at: 0) && !position.outlasts(.timedOut, at: 0))
        position.begin(at: .first)
        #expect(position.outlasts(missing, at: 5 * second) && position.outlasts(.noStream, at: 34 * second))
        #expect(!position.outlasts(missing, at: 35 * second))
        position.begin(at: .after(7))
        #expect(position.outlasts(missing, at: 36 * second))
        // A server that is away does not say whether the stream is there.
        #expect(position.outlasts(.timedOut, at: 70 * second) && position.outlasts(missing, at: 90 * second))
        #expect(!position.outlasts(missing, at: 120 * second))
        #expect(!position.outlasts(.jetStream(code: 10003, text: ""), at: 120 * second))
    }

    @Test("A reading waits for a new leader that does not have all messages yet")
    func ahead() {
        func stream(last: Int, made: String = "1", replicas: Int = 3) -> NATSStreamState {
            NATSStreamState(
                Array(
                    #"{"created":"\#(made)","config":{"num_replicas":\#(replicas)},"state":{"last_seq":\#(last)}}"#.utf8
                )
            )
        }
        let position = NATSStreamPosition(.after(9), patience: .seconds(30))
        let second: Int64 = 1_000_000_000
        #expect(!position.isAhead(of: stream(last: 9), at: 0) && !position.noteMade("1"))
        #expect(
            position.isAhead(of: stream(last: 5), at: second) && position.isAhead(of: stream(last: 8), at: 30 * second)
        )
        // They are lost.
        #expect(!position.isAhead(of: stream(last: 8), at: 31 * second))
        // Another time.
        #expect(!position.isAhead(of: stream(last: 9), at: 32 * second))
        #expect(position.isAhead(of: stream(last: 8), at: 50 * second))
        #expect(!position.isAhead(of: stream(last: 8, made: "2"), at: 50 * second))
        #expect(!position.isAhead(of: stream(last: 8, replicas: 1), at: 50 * second))
    }

    @Test("A user who may not acknowledge reads all the same")
    func withoutAcknowledgements() async throws {
        let users = """
            \(Self.configuration)
            authorization { users = [
              { user: "all", password: "x" }
              { user: "few", password: "x", permissions: { publish: ["$JS.API.>"] } }
            ] }
            """
        let server = try await TestNATSServer.start(users)
        let nats = server.connection { $0.authentication = .user("all", password: "x") }
        try await makeStream(nats)
        try await store(1...3000, nats)
        let reader = server.connection { $0.authentication = .user("few", password: "x") }
        let recorder = Recorder(
            reader.messages(ofStream: "ORDERS").take(
                until: { item in
                    if case .message(let delivery) = item { delivery.sequence == 3500 } else { false }
                },
                includingMatch: true
            )
        )
        await until { recorder.values.contains(.caughtUp) }
        try await store(3001...3500, nats)
        await offThePool { recorder.waitForEnd() }
        #expect(numbers(recorder.values) == Array(1...3500) && gaps(recorder.values).isEmpty)
    }
}
