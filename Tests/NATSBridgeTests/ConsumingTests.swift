import Bus
import BusTesting
import TestSupport
import Testing

@testable import NATSBridge

@Suite("The tasks of a consumer")
struct ConsumingTests {
    private func start(storing count: Int) async throws -> TestNATSServer {
        let server = try await TestNATSServer.start(
            #"max_pending: 536870912, jetstream { store_dir: "FOLDER/store" }"#
        )
        let nats = server.connection()
        let body = #"{"name":"JOBS","subjects":["jobs"],"storage":"memory"}"#
        let answer = try await nats.request(body, to: "$JS.API.STREAM.CREATE.JOBS", timeout: .seconds(600))
        #expect(!answer.text.contains("error"), "\(answer.text)")
        for number in 1...count {
            let message = NATSMessage(subject: "jobs", payload: Array("\(number)".utf8))
            _ = try await nats.publishAcknowledged(message, timeout: .seconds(600))
        }
        return server
    }

    private var consumer: NATSConsumer {
        var consumer = NATSConsumer(stream: "JOBS", name: "worker")
        consumer.acknowledgeWithin = .seconds(600)
        return consumer
    }

    @Test("A handler that takes long holds up no other")
    func concurrent() async throws {
        let server = try await start(storing: 20)
        let hold = ReplaySubject<Void, Never>(capacity: 1)
        let recorder = Recorder(
            server.connection().consume(consumer, maxConcurrent: 2, failed: { _, _ in }) { delivery in
                if delivery.sequence == 1 { _ = try await hold.firstValue() }
            }
            .take(first: 20)
        )
        await until { recorder.valueCount == 19 }
        #expect(recorder.values.map(\.sequence) == Array(2...20))
        hold.send(())
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values.last?.sequence == 1 && recorder.violations.isEmpty)
    }

    @Test("Any number may be handled at a time")
    func unlimited() async throws {
        let server = try await start(storing: 3)
        let recorder = Recorder(
            server.connection().consume(consumer, maxConcurrent: .max, failed: { _, _ in }) { _ in }.take(first: 3)
        )
        await offThePool { recorder.waitForEnd() }
        #expect(Set(recorder.values.map(\.sequence)) == [1, 2, 3] && recorder.violations.isEmpty)
    }

    @Test("Waiting messages are bounded by their bytes, too; those left out are counted, and the server has them")
    func largeMessages() async throws {
        let server = try await start(storing: 1)
        let nats = server.connection()
        let large = NATSMessage(subject: "jobs", payload: [UInt8](repeating: 1, count: 1_000_000))
        for _ in 0..<80 { _ = try await nats.publishAcknowledged(large, timeout: .seconds(600)) }
        let hold = ReplaySubject<Void, Never>(capacity: 1)
        let recorder = Recorder(
            nats.consume(consumer, failed: { _, _ in }) { delivery in
                if delivery.sequence == 1 { _ = try await hold.firstValue() }
            }
        )
        // 64 MiB, and the message that fills them.
        await until { recorder.lost == 80 - 68 }
        hold.send(())
        await until { recorder.valueCount == 69 }
        #expect(recorder.lost == 12 && recorder.values.map(\.sequence) == Array(1...69))
        recorder.dispose()
    }

    @Test("No handler begins while the observer pauses")
    func pausing() async throws {
        let server = try await start(storing: 10)
        let handled = Heard<UInt64>()
        let recorder = PausingRecorder(
            server.connection().consume(consumer, failed: { _, _ in }) { handled.append($0.sequence) },
            after: 1
        )
        await until { recorder.isAwaited }
        #expect(handled.values == [1] && recorder.valueCount == 1)
        recorder.release()
        await until { recorder.valueCount == 10 }
        #expect(handled.values == Array(1...10) && recorder.overrun == 0 && recorder.violations.isEmpty)
        recorder.dispose()
    }

    @Test("After the last value that is wanted, no handler begins")
    func stopping() async throws {
        let server = try await start(storing: 10)
        let nats = server.connection()
        let handled = Heard<UInt64>()
        let recorder = Recorder(
            nats.consume(consumer, failed: { _, _ in }) { handled.append($0.sequence) }.take(first: 3)
        )
        await offThePool { recorder.waitForEnd() }
        try await nats.flush(timeout: .seconds(600))
        #expect(handled.values == [1, 2, 3])
    }

    /// Waits until the server knows of a message and all before it that they were handled.
    private func awaitAcknowledgement(of sequence: Int, _ nats: NATSConnection) async throws {
        while true {
            let answer = try await nats.request("", to: "$JS.API.CONSUMER.INFO.JOBS.worker", timeout: .seconds(600))
            let floor = answer.text.split(separator: "\"ack_floor\":").last ?? ""
            let number = floor.split(separator: "\"stream_seq\":").dropFirst().first?.prefix { $0.isNumber }
            if let number, Int(number) ?? 0 >= sequence { return }
            await Task.yield()
        }
    }

    @Test("What was handled is acknowledged, though nothing more is wanted", .timeLimit(.minutes(5)))
    func acknowledgingAtTheEnd() async throws {
        let server = try await start(storing: 10)
        let nats = server.connection()
        let recorder = Recorder(nats.consume(consumer, failed: { _, _ in }) { _ in }.take(first: 3))
        await offThePool { recorder.waitForEnd() }
        try await awaitAcknowledgement(of: 3, nats)
    }

    @Test("A message in whose handler the subscription ends is acknowledged", .timeLimit(.minutes(5)))
    func endingInTheHandler() async throws {
        let server = try await start(storing: 10)
        let nats = server.connection()
        let subscription = SerialDisposable()
        subscription.set(
            nats.consume(consumer, failed: { _, _ in }) { if $0.sequence == 5 { subscription.dispose() } }
                .subscribe(next: { _ in }, failed: { Issue.record($0) })
        )
        try await awaitAcknowledgement(of: 5, nats)
    }

    @Test("A consumer that the server has goes on from its position, whatever its start", .timeLimit(.minutes(5)))
    func otherBeginning() async throws {
        let server = try await start(storing: 1)
        let nats = server.connection()
        var consumer = consumer
        let starts: [NATSStart] = [.time(1_000_000), .time(2_000_000), .new, .sequence(1), .last, .first]
        for (start, number) in zip(starts, 1...) {
            if number > 1 {
                let message = NATSMessage(subject: "jobs", payload: Array("\(number)".utf8))
                _ = try await nats.publishAcknowledged(message, timeout: .seconds(600))
            }
            consumer.start = start
            let recorder = Recorder(nats.consume(consumer, failed: { _, _ in }) { _ in }.take(first: 1))
            await offThePool { recorder.waitForEnd() }
            #expect(recorder.values.map(\.sequence) == [UInt64(number)], "\(recorder.events)")
            if recorder.values.isEmpty { return }
            try await awaitAcknowledgement(of: number, nats)
        }
    }

    @Test("No acknowledgement overtakes a message that the handler has sent without waiting")
    func order() async throws {
        let server = try await start(storing: 100)
        let (nats, listening) = (server.connection(), server.connection())
        // One subscription for both, so that their order is the server's.
        let all = Recorder(
            listening.messages(to: ">").filter { $0.subject == "out" || $0.subject.hasPrefix("$JS.ACK.") }
        )
        try await listening.flush(timeout: .seconds(600))
        let recorder = Recorder(
            nats.consume(consumer, failed: { _, _ in }) { delivery in
                let message = NATSMessage(subject: "out", payload: Array("\(delivery.sequence)".utf8))
                _ = nats.publication(of: message).subscribe(next: { _ in }, failed: { Issue.record($0) })
            }
            .take(first: 100)
        )
        await offThePool { recorder.waitForEnd() }
        await until { all.valueCount == 200 }
        var sent: Set<Int> = []
        for message in all.values {
            if message.subject == "out" {
                sent.insert(Int(message.text) ?? 0)
            } else {
                let number = message.subject.split(separator: ".").dropFirst(5).first.flatMap { Int($0) }
                #expect(sent.contains(number ?? 0), "\(message.subject) before its message")
            }
        }
        all.dispose()
    }

    @Test(
        "The reply subject of a message tells its place in the stream, or nothing",
        arguments: [
            ("$JS.ACK.ORDERS.billing.2.17.18.1700000000000000000.5", true),
            ("$JS.ACK._.account.ORDERS.billing.2.17.18.1700000000000000000.5.token", true),
            ("$JS.ACK.ORDERS.billing.2.17.18.1700000000000000000", false),
            ("$JS.ACK.ORDERS.billing.2.17.18.1700000000000000000.", false),
            ("$JS.ACK.ORDERS.billing.2.x7.18.1700000000000000000.5", false),
            ("$JS.ACK.ORDERS.billing.2.-7.18.1700000000000000000.5", false),
            ("$JS.ACK.ORDERS.billing.2.17.18.99999999999999999999.5", false),
            ("$JS.ACK.ORDERS.billing.2.17.18.18446744073709551615.5", false),
            ("$JS.NAK.ORDERS.billing.2.17.18.1700000000000000000.5", false),
            ("$JS.ACK..........", false), ("_INBOX.a.1", false), ("", false),
        ]
    )
    func place(reply: String, isPlace: Bool) {
        let delivery = NATSDelivery(NATSMessage(subject: "orders.new", reply: reply))
        #expect((delivery != nil) == isPlace)
        guard let delivery else { return }
        #expect(delivery.stream == "ORDERS" && delivery.sequence == 17 && delivery.consumerSequence == 18)
        #expect(delivery.attempt == 2 && delivery.storedAt == 1_700_000_000_000_000 && delivery.pending == 5)
    }
}
