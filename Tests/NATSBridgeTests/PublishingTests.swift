import Bus
import BusTesting
import NATSBridge
import TestSupport
import Testing

@Suite("Publishing to a real nats-server")
struct PublishingTests {
    @Test(
        "A subject that breaks a rule is refused before it is sent",
        arguments: [
            "", "a b", "a..b", ".a", "a.", "a.*", "a.>", ">", "a\r\nPUB b 0", "a\u{0}",
            String(repeating: "x", count: 2000),
        ]
    )
    func subjects(_ subject: String) async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let error = await #expect(throws: NATSError.self) { try await nats.publish("", to: subject) }
        guard case .invalid? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        try await nats.flush()
    }

    @Test("A pattern that breaks a rule is refused", arguments: ["", "a b", "a..b", "a.>.b", "a\n"])
    func patterns(_ pattern: String) async throws {
        let nats = NATSConnection(NATSOptions("nats://127.0.0.1:1"))
        let recorder = Recorder(nats.messages(to: pattern))
        await offThePool { recorder.waitForEnd() }
        guard case .failed(let error)? = recorder.events.last, case .invalid = error.reason else {
            Issue.record("\(recorder.events)")
            return
        }
    }

    @Test("A header that would break the message is refused")
    func headers() async throws {
        let nats = NATSConnection(NATSOptions("nats://127.0.0.1:1"))
        for headers: NATSHeaders in [
            ["a": "x\r\nEvil: 1"], ["": "x"], ["a:b": "x"], ["a b": "x"], ["a": "\u{0}"],
            ["a": ""], ["a": " \t"],
        ] {
            let error = await #expect(throws: NATSError.self) {
                try await nats.publish("", to: "a", headers: headers)
            }
            guard case .invalid? = error?.reason else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("A payload of the server's size goes; one byte more is refused, and the connection lives on")
    func size() async throws {
        let server = try await TestNATSServer.start("max_payload: 4000")
        let nats = server.connection()
        let recorder = Recorder(nats.messages(to: "a").map(\.payload.count).take(first: 2))
        try await nats.publish([UInt8](repeating: 1, count: 4000), to: "a")
        let error = await #expect(throws: NATSError.self) {
            try await nats.publish([UInt8](repeating: 1, count: 4001), to: "a")
        }
        #expect(error?.reason == .tooLarge(bytes: 4001, limit: 4000))
        let other = await #expect(throws: NATSError.self) {
            try await nats.publish([UInt8](repeating: 1, count: 3999), to: "a", headers: ["k": "v"])
        }
        // NATS/1.0, k: v and an empty line.
        #expect(other?.reason == .tooLarge(bytes: 3999 + 18, limit: 4000))
        try await nats.publish([UInt8](repeating: 1, count: 4000 - 18), to: "a", headers: ["k": "v"])
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values == [4000, 4000 - 18])
    }

    @Test("A signal is published in order")
    func sink() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let recorder = Recorder(nats.messages(to: "numbers", limit: 5000).map(\.text).take(first: 2000))
        try await nats.flush()
        let sent = try await Signals.from(0..<2000).map { Array("\($0)".utf8) }.publish(
            to: "numbers",
            over: nats,
            limit: 16
        )
        .map { 1 }.collected(limit: .max)
        #expect(sent.count == 2000)
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values == (0..<2000).map { "\($0)" })
    }

    @Test("A signal whose message cannot be sent fails")
    func failingSink() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let messages = ["a", "no good", "b"].map { NATSMessage(subject: $0) }
        let recorder = Recorder(Signals.from(messages).publish(over: nats))
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.valueCount == 1)
        guard case .failed(let error)? = recorder.events.last, case .invalid = error.reason else {
            Issue.record("\(recorder.events)")
            return
        }
    }
}
