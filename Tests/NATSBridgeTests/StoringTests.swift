import Bus
import BusTesting
import NATSBridge
import TestSupport
import Testing

extension Recorder {
    /// What the signal failed with.
    fileprivate var failure: Failure? {
        guard case .failed(let failure)? = events.last else { return nil }
        return failure
    }
}

/// A subscriber stands for the stream, so that the test decides when it acknowledges.
@Suite("A signal's messages on their way to a stream")
struct StoringTests {
    private static func messages(_ numbers: Range<Int>) -> [NATSMessage] {
        numbers.map { NATSMessage(subject: "store", payload: Array("\($0)".utf8)) }
    }

    private static func acknowledge(
        _ message: NATSMessage,
        _ sequence: Int,
        _ nats: NATSConnection
    ) async throws {
        let reply = try #require(message.reply)
        try await nats.publish(#"{"stream":"S","seq":\#(sequence)}"#, to: reply)
    }

    @Test("It ends when all are acknowledged, in whatever order; the source pauses while the window is full")
    func window() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let arrived = Recorder(nats.messages(to: "store"))
        try await nats.flush(timeout: .seconds(600))
        let recorder = Recorder(
            Signals.from(Self.messages(0..<6)).publishAcknowledged(over: nats, maxPending: 4, timeout: .seconds(600))
        )
        await until { arrived.valueCount == 4 }
        try await nats.flush(timeout: .seconds(600))
        #expect(arrived.valueCount == 4)
        for number in [3, 2, 1] { try await Self.acknowledge(arrived.values[number], number + 1, nats) }
        await until { arrived.valueCount == 6 }
        for number in [5, 4] { try await Self.acknowledge(arrived.values[number], number + 1, nats) }
        await until { recorder.valueCount == 5 }
        #expect(!recorder.hasEnded)
        try await Self.acknowledge(arrived.values[0], 1, nats)
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values.map(\.sequence) == [4, 3, 2, 6, 5, 1])
        #expect(recorder.violations.isEmpty && recorder.lost == 0)
        arrived.dispose()
    }

    @Test("A missing acknowledgement fails it when its time is up; no slot stays taken")
    func timeout() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection { $0.maxUnacknowledged = 3 }
        let arrived = Recorder(nats.messages(to: "store"))
        try await nats.flush(timeout: .seconds(600))
        for _ in 1...4 {
            let recorder = Recorder(
                Signals.from(Self.messages(0..<3)).concat(Signals.never())
                    .publishAcknowledged(over: nats, maxPending: 3, timeout: .milliseconds(50))
            )
            await offThePool { recorder.waitForEnd() }
            #expect(recorder.failure?.reason == .timedOut)
            #expect(recorder.valueCount == 0)
        }
        let before = arrived.valueCount
        let last = Recorder(
            Signals.from(Self.messages(10..<13)).publishAcknowledged(over: nats, timeout: .seconds(600))
        )
        // All three have slots, so none of the rounds has kept one.
        await until { arrived.valueCount >= before + 3 && arrived.values.last?.text == "12" }
        #expect(arrived.values.last?.text == "12")
        last.dispose()
        arrived.dispose()
    }

    @Test("While acknowledgements come in order, one that has not come yet may take longer than its time")
    func slow() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let arrived = Recorder(nats.messages(to: "store"))
        try await nats.flush(timeout: .seconds(600))
        var endings: [String] = []
        // On a busy machine more than the time can pass between two of them: then with a longer time.
        for patience in [400, 4000, 40000] {
            let first = arrived.valueCount
            let recorder = Recorder(
                Signals.from(Self.messages(0..<8)).publishAcknowledged(over: nats, timeout: .milliseconds(patience))
            )
            await until { arrived.valueCount >= first + 8 || recorder.hasEnded }
            for number in 0..<8 where !recorder.hasEnded {
                try await Task.sleep(for: .milliseconds(patience / 4))
                try await Self.acknowledge(arrived.values[first + number], number + 1, nats)
            }
            await offThePool { recorder.waitForEnd() }
            #expect(recorder.failure == nil || recorder.failure?.reason == .timedOut)
            endings.append(recorder.failure.map(\.description) ?? "stored")
            if recorder.failure == nil { break }
            await until { arrived.valueCount >= first + 8 }
        }
        #expect(endings.last == "stored", "\(endings)")
        arrived.dispose()
    }

    @Test("One that is passed over fails it when its time is up, though later ones are acknowledged")
    func passedOver() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let arrived = Recorder(nats.messages(to: "store"))
        try await nats.flush(timeout: .seconds(600))
        let recorder = Recorder(
            Signals.from(Self.messages(0..<10_000))
                .publishAcknowledged(over: nats, maxPending: 2, timeout: .milliseconds(500))
        )
        for number in 1..<10_000 where !recorder.hasEnded {
            await until { arrived.valueCount > number || recorder.hasEnded }
            if recorder.hasEnded { break }
            try await Self.acknowledge(arrived.values[number], number + 1, nats)
            try await Task.sleep(for: .milliseconds(5))
        }
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.failure?.reason == .timedOut)
        arrived.dispose()
    }

    @Test("Disposal gives the slots back, also those that are waited for")
    func disposal() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection { $0.maxUnacknowledged = 2 }
        let arrived = Recorder(nats.messages(to: "store"))
        try await nats.flush(timeout: .seconds(600))
        for round in 1...20 {
            let recorder = Recorder(
                Signals.from(Self.messages(0..<10)).publishAcknowledged(over: nats, timeout: .seconds(600))
            )
            await until { arrived.valueCount == 2 * round }
            recorder.dispose()
        }
        let last = Recorder(
            Signals.from(Self.messages(0..<2)).publishAcknowledged(over: nats, timeout: .seconds(600))
        )
        await until { arrived.valueCount == 42 }
        for number in [40, 41] { try await Self.acknowledge(arrived.values[number], number, nats) }
        await offThePool { last.waitForEnd() }
        #expect(last.valueCount == 2)
        arrived.dispose()
    }

    @Test("The last message that is refused fails it, and does not complete it")
    func refusal() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let none = Recorder(
            Signals.from(Self.messages(0..<1)).publishAcknowledged(over: nats, timeout: .seconds(600))
        )
        await offThePool { none.waitForEnd() }
        #expect(none.failure?.reason == .noStream)
        #expect(none.failure?.description.contains("\"store\"") == true)
        let arrived = Recorder(nats.messages(to: "store"))
        try await nats.flush(timeout: .seconds(600))
        let full = Recorder(
            Signals.from(Self.messages(0..<1)).publishAcknowledged(over: nats, timeout: .seconds(600))
        )
        await until { arrived.valueCount == 1 }
        let reply = try #require(arrived.values[0].reply)
        try await nats.publish(#"{"error":{"code":503,"err_code":10077,"description":"full"}}"#, to: reply)
        await offThePool { full.waitForEnd() }
        #expect(full.failure?.reason == .jetStream(code: 10077, text: "full"))
        arrived.dispose()
    }

    @Test("Signals that share few slots complete when all their messages are stored, not before")
    func sharing() async throws {
        let server = try await TestNATSServer.start(#"jetstream { store_dir: "FOLDER/store" }"#)
        let nats = server.connection { $0.maxUnacknowledged = 2 }
        _ = try await nats.request(
            #"{"name":"S","subjects":["store"],"storage":"memory"}"#,
            to: "$JS.API.STREAM.CREATE.S",
            timeout: .seconds(600)
        )
        for _ in 1...200 {
            let recorders = (1...4).map { _ in
                Recorder(
                    Signals.from(Self.messages(0..<2)).publishAcknowledged(over: nats, timeout: .seconds(600))
                )
            }
            await offThePool { for recorder in recorders { recorder.waitForEnd() } }
            #expect(recorders.map(\.valueCount) == [2, 2, 2, 2])
        }
    }

    @Test("The connection's end fails it")
    func closed() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let listening = server.connection()
        let arrived = Recorder(listening.messages(to: "store"))
        try await listening.flush(timeout: .seconds(600))
        let recorder = Recorder(
            Signals.from(Self.messages(0..<3)).publishAcknowledged(over: nats, timeout: .seconds(600))
        )
        await until { arrived.valueCount == 3 }
        nats.close()
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.failure?.reason == .closed)
        let later = Recorder(Signals.from(Self.messages(0..<3)).publishAcknowledged(over: nats))
        await offThePool { later.waitForEnd() }
        #expect(later.failure?.reason == .closed)
        arrived.dispose()
    }

    @Test("While the observer pauses, few messages are stored, and nothing is lost")
    func paused() async throws {
        let server = try await TestNATSServer.start(#"jetstream { store_dir: "FOLDER/store" }"#)
        let nats = server.connection()
        _ = try await nats.request(
            #"{"name":"S","subjects":["store"],"storage":"memory"}"#,
            to: "$JS.API.STREAM.CREATE.S",
            timeout: .seconds(600)
        )
        let hold = Latch()
        let recorder = Recorder(
            Signals.from(Self.messages(0..<2000)).publishAcknowledged(
                over: nats,
                maxPending: 16,
                timeout: .seconds(600),
                on: ThreadScheduler(name: "held")
            ),
            onNext: { _ in
                hold.wait()
                return .more
            }
        )
        await until { recorder.valueCount == 1 }
        // A hundred ways to the server and back: more than what the source could send meanwhile, if it did not pause.
        for _ in 1...100 { try await nats.flush(timeout: .seconds(600)) }
        let state = try await nats.request("", to: "$JS.API.STREAM.INFO.S", timeout: .seconds(600)).text
        let stored = state.split(separator: "\"messages\":").dropFirst().first.flatMap {
            Int($0.prefix { $0.isNumber })
        }
        // The window, and what waits in the queues for acknowledgements: see the documentation.
        #expect(try #require(stored) <= 8 * 16)
        hold.open()
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values.map(\.sequence) == (1...2000).map { UInt64($0) })
        #expect(recorder.lost == 0 && recorder.violations.isEmpty)
    }
}
