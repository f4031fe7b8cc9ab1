import Bus
import BusTesting
import NATSBridge
import TestSupport
import Testing

@Suite("JetStream of a real nats-server")
struct JetStreamTests {
    private static let configuration = #"jetstream { store_dir: "FOLDER/store" }"#

    private func start() async throws -> TestNATSServer { try await TestNATSServer.start(Self.configuration) }

    /// Makes a stream of `orders.*`.
    private func makeStream(_ nats: NATSConnection, _ settings: String = "") async throws {
        let body = #"{"name":"ORDERS","subjects":["orders.*"],"storage":"file"\#(settings)}"#
        let answer = try await nats.request(body, to: "$JS.API.STREAM.CREATE.ORDERS", timeout: .seconds(600))
        #expect(!answer.text.contains("error"), "\(answer.text)")
    }

    private func message(_ number: Int) -> NATSMessage {
        NATSMessage(subject: "orders.new", payload: Array("\(number)".utf8))
    }

    @Test("A message is acknowledged with its number; the same id is stored once")
    func stored() async throws {
        let server = try await start()
        let nats = server.connection()
        try await makeStream(nats)
        let first = try await nats.publishAcknowledged(message(1), id: "one", timeout: .seconds(600))
        let again = try await nats.publishAcknowledged(message(1), id: "one", timeout: .seconds(600))
        let other = try await nats.publishAcknowledged(message(2), id: "two", timeout: .seconds(600))
        #expect(first == NATSAcknowledgement(stream: "ORDERS", sequence: 1, isDuplicate: false))
        #expect(again == NATSAcknowledgement(stream: "ORDERS", sequence: 1, isDuplicate: true))
        #expect(other.sequence == 2 && !other.isDuplicate)
    }

    @Test("No stream; a stream that refuses; a subscriber that answers nonsense")
    func refused() async throws {
        let server = try await start()
        let nats = server.connection()
        let none = await #expect(throws: NATSError.self) { try await nats.publishAcknowledged(message(1)) }
        #expect(none?.reason == .noStream)
        try await makeStream(nats, #","max_msgs":1,"discard":"new""#)
        _ = try await nats.publishAcknowledged(message(1), timeout: .seconds(600))
        let full = await #expect(throws: NATSError.self) {
            try await nats.publishAcknowledged(message(2), timeout: .seconds(600))
        }
        guard case .jetStream(_, let text)? = full?.reason else {
            Issue.record("\(String(describing: full))")
            return
        }
        #expect(text.contains("maximum messages exceeded"))
        let nonsense = Recorder(nats.replies(to: "elsewhere") { _ in NATSReply("{\"seq\":") })
        let unread = await #expect(throws: NATSError.self) {
            try await nats.publishAcknowledged(NATSMessage(subject: "elsewhere"), timeout: .seconds(600))
        }
        guard case .jetStream(0, _)? = unread?.reason else {
            Issue.record("\(String(describing: unread))")
            return
        }
        nonsense.dispose()
    }

    @Test("No more messages are on their way than there are slots, and all are stored in order")
    func bounded() async throws {
        let server = try await start()
        let nats = server.connection { $0.maxUnacknowledged = 7 }
        try await makeStream(nats)
        let count = 500
        let acknowledged = try await Signals.from((0..<count).map(message))
            .publishAcknowledged(over: nats, maxPending: 100, timeout: .seconds(600)).collected(limit: .max)
        #expect(acknowledged.map(\.sequence) == (1...UInt64(count)).map { $0 })
    }

    /// Stands for a stream, and holds back its acknowledgements.
    @Test("The bound holds while acknowledgements are missing, and a timeout gives its slot back")
    func slots() async throws {
        let server = try await start()
        let nats = server.connection { $0.maxUnacknowledged = 3 }
        let arrived = Recorder(nats.messages(to: "store"))
        let recorder = Recorder(
            Signals.from((0..<10).map { NATSMessage(subject: "store", payload: Array("\($0)".utf8)) })
                .flatMap(.merge) { nats.acknowledgement(of: $0, timeout: .seconds(600)) }
        )
        await until { arrived.valueCount == 3 }
        try await nats.flush(timeout: .seconds(600))
        #expect(arrived.valueCount == 3)
        for number in 0..<10 {
            await until { arrived.valueCount > number }
            let reply = try #require(arrived.values[number].reply)
            try await nats.publish(#"{"stream":"S","seq":\#(number + 1)}"#, to: reply)
            await until { recorder.valueCount == number + 1 }
            #expect(arrived.valueCount <= number + 4)
        }
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values.map(\.sequence) == (1...10).map { UInt64($0) })
        for _ in 0..<4 {
            let error = await #expect(throws: NATSError.self) {
                try await nats.publishAcknowledged(NATSMessage(subject: "store"), timeout: .milliseconds(5))
            }
            #expect(error?.reason == .timedOut)
        }
        arrived.dispose()
    }

    @Test("A consumer acknowledges handled messages, and goes on where it was")
    func consumed() async throws {
        let server = try await start()
        let nats = server.connection()
        try await makeStream(nats)
        for number in 1...20 { _ = try await nats.publishAcknowledged(message(number), timeout: .seconds(600)) }
        var consumer = NATSConsumer(stream: "ORDERS", name: "billing", subject: "orders.*")
        consumer.acknowledgeWithin = .seconds(600)
        let handled = Heard<String>()
        func consume(_ count: Int) -> Recorder<NATSDelivery, NATSError> {
            Recorder(
                nats.consume(consumer, failed: { _, _ in }) { handled.append($0.message.text) }.take(first: count)
            )
        }
        let first = consume(20)
        await offThePool { first.waitForEnd() }
        #expect(handled.values == (1...20).map { "\($0)" })
        #expect(first.values.map(\.sequence) == (1...20).map { UInt64($0) })
        #expect(first.values.allSatisfy { $0.attempt == 1 && $0.storedAt > 0 } && first.values.last?.pending == 0)
        _ = try await nats.publishAcknowledged(message(21), timeout: .seconds(600))
        let second = consume(1)
        await offThePool { second.waitForEnd() }
        #expect(handled.values.last == "21" && second.values.first?.sequence == 21)
    }

    @Test("A new consumer begins where it is told")
    func starts() async throws {
        let server = try await start()
        let nats = server.connection()
        try await makeStream(nats)
        for number in 1...6 { _ = try await nats.publishAcknowledged(message(number), timeout: .seconds(600)) }
        func read(_ name: String, from start: NATSStart, _ count: Int) async -> [NATSDelivery] {
            var consumer = NATSConsumer(stream: "ORDERS", name: name)
            consumer.start = start
            consumer.acknowledgeWithin = .seconds(600)
            let recorder = Recorder(nats.consume(consumer, failed: { _, _ in }) { _ in }.take(first: count))
            await offThePool { recorder.waitForEnd() }
            return recorder.values
        }
        let all = await read("first", from: .first, 6)
        #expect(all.map(\.sequence) == Array(1...6))
        #expect(await read("sequence", from: .sequence(5), 2).map(\.sequence) == [5, 6])
        #expect(await read("after", from: .after(4), 2).map(\.sequence) == [5, 6])
        #expect(await read("last", from: .last, 1).map(\.sequence) == [6])
        // A time in microseconds is less than one before the message's, and the message before may be in that span.
        let later = await read("time", from: .time(all[5].storedAt), 1)
        #expect(later.allSatisfy { $0.sequence >= 5 })
    }

    @Test("A message that a handler could not handle comes again")
    func again() async throws {
        struct Broken: Error {}
        let server = try await start()
        let nats = server.connection()
        try await makeStream(nats)
        for number in 1...3 { _ = try await nats.publishAcknowledged(message(number), timeout: .seconds(600)) }
        var consumer = NATSConsumer(stream: "ORDERS", name: "billing")
        consumer.redeliverAfter = .milliseconds(10)
        consumer.acknowledgeWithin = .seconds(600)
        let failures = Heard<UInt64>()
        let recorder = Recorder(
            nats.consume(consumer, failed: { delivery, _ in failures.append(delivery.sequence) }) { delivery in
                if delivery.sequence == 2, delivery.attempt < 3 { throw Broken() }
            }
            .take(first: 3)
        )
        await offThePool { recorder.waitForEnd() }
        #expect(failures.values == [2, 2] && Set(recorder.values.map(\.sequence)) == [1, 2, 3])
        #expect(recorder.values.first { $0.sequence == 2 }?.attempt == 3)
    }

    @Test("A slow handler slows the server down: no more is sent than may be unacknowledged")
    func slow() async throws {
        let server = try await start()
        let (nats, watching) = (server.connection(), server.connection())
        try await makeStream(nats)
        for number in 1...50 { _ = try await nats.publishAcknowledged(message(number), timeout: .seconds(600)) }
        var consumer = NATSConsumer(stream: "ORDERS", name: "slow")
        consumer.maxUnacknowledged = 4
        consumer.acknowledgeWithin = .seconds(600)
        // Hears what the server sends to the consumer.
        let sent = Recorder(watching.messages(to: "_DELIVER.ORDERS.slow"))
        try await watching.flush(timeout: .seconds(600))
        let hold = ReplaySubject<Void, Never>(capacity: 1)
        let recorder = Recorder(
            nats.consume(consumer, failed: { _, _ in }) { _ in _ = try await hold.firstValue() }.take(first: 50)
        )
        await until { sent.valueCount == 4 }
        try await nats.flush(timeout: .seconds(600))
        try await watching.flush(timeout: .seconds(600))
        #expect(sent.valueCount == 4)
        hold.send(())
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.valueCount == 50 && recorder.lost == 0)
        sent.dispose()
    }

    @Test("No stream, a wrong name, no JetStream: the consumer fails with a reason")
    func wrong() async throws {
        let server = try await start()
        let nats = server.connection()
        func failure(_ consumer: NATSConsumer, _ nats: NATSConnection) async -> NATSError.Reason? {
            let recorder = Recorder(nats.consume(consumer, failed: { _, _ in }) { _ in })
            await offThePool { recorder.waitForEnd() }
            guard case .failed(let error)? = recorder.events.last else { return nil }
            return error.reason
        }
        guard case .jetStream(10059, _)? = await failure(NATSConsumer(stream: "NONE", name: "a"), nats) else {
            Issue.record("no error for a stream that is not there")
            return
        }
        guard case .invalid? = await failure(NATSConsumer(stream: "a.b", name: "a"), nats) else {
            Issue.record("no error for a wrong name")
            return
        }
        let plain = try await TestNATSServer.start()
        #expect(await failure(NATSConsumer(stream: "NONE", name: "a"), plain.connection()) == .noStream)
    }

    @Test("The server is killed between messages: every acknowledged message is there, and is handled")
    func killed() async throws {
        let server = try await start()
        let nats = server.connection()
        try await makeStream(nats)
        var consumer = NATSConsumer(stream: "ORDERS", name: "billing")
        consumer.acknowledgeWithin = .milliseconds(500)
        let handled = Heard<String>()
        let subscription = nats.consume(consumer, maxConcurrent: 4, failed: { _, _ in }) {
            handled.append($0.message.text)
        }
        .subscribe(next: { _ in }, failed: { Issue.record("\($0)") })
        for number in 0..<60 {
            if number % 20 == 10 {
                await server.stop()
                try await server.restart()
            }
            // Sent until it is stored. The id keeps it from being stored twice.
            var isStored = false
            while !isStored, !RunLimit.isOver {
                do {
                    _ = try await nats.publishAcknowledged(message(number), id: "\(number)", timeout: .seconds(1))
                    isStored = true
                } catch is NATSError {
                    continue
                }
            }
        }
        let stored = Set((0..<60).map { "\($0)" })
        await until { Set(handled.values).isSuperset(of: stored) }
        #expect(Set(handled.values) == stored)
        subscription.dispose()
    }
}
