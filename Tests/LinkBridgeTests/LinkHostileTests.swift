import Bus
import BusTesting
@testable import LinkBridge
import NATSBridge
import TapBridge
import TestSupport
import Testing

@Suite("What others send that is no value")
struct LinkHostileTests {
    /// Members of a message as they would be sent over a socket, each broken in one way.
    private static let broken = [
        #""text""#, "[]", "{}", "{", #"{"sender":1}"#,
        #"{"sender":"0123456789abcdef","sequence":1,"time":1,"origin":"a:1"}"#,
        #"{"sender":"0123456789abcde","sequence":1,"time":1,"value":{"from":"x","number":1}}"#,
        #"{"sender":"0123456789ABCDEF","sequence":1,"time":1,"value":{"from":"x","number":1}}"#,
        #"{"sender":"0123456789abcdef","time":1,"value":{"from":"x","number":1}}"#,
        #"{"sender":"0123456789abcdef","sequence":0,"time":1,"value":{"from":"x","number":1}}"#,
        #"{"sender":"0123456789abcdef","sequence":-1,"time":1,"value":{"from":"x","number":1}}"#,
        #"{"sender":"0123456789abcdef","sequence":1e3,"time":1,"value":{"from":"x","number":1}}"#,
        #"{"sender":"0123456789abcdef","sequence":"1","time":1,"value":{"from":"x","number":1}}"#,
        #"{"sender":"0123456789abcdef","sequence":1,"value":{"from":"x","number":1}}"#,
        #"{"sender":"0123456789abcdef","sequence":1,"time":1,"value":{"from" "x"}}"#,
        #"{"sender":"0123456789abcdef","sequence":1,"time":1,"value":{]}"#,
        #"{"sender":"0123456789abcdef","sequence":1,"time":1,"value":nonsense}"#,
        #"{"sender":"0123456789abcdef","sequence":1,"time":1,"value":{},"value":{}}"#,
        #"{"sender":"0123456789abcdef","sequence":1,"time":1,"value":\#(lists(100))}"#,
    ]

    /// Lists within each other.
    private static func lists(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("The program that serves refuses what is no message, and says why; the others hear nothing of it")
    func overASocket() async throws {
        let place = try await TestPlace(.unix)
        let topics = [Topic.numbers.shared()]
        let first = try await place.program("a", topics, isFirst: true)
        let other = try await place.program("b", topics)
        let heard = [first, other].map { $0.heard(on: .numbers) }
        let stranger = TapClient(path: place.socket)
        for text in Self.broken {
            let answer = Recorder(stranger.post(Array(text.utf8), to: "test.numbers"))
            await offThePool { answer.waitForEnd() }
            guard case .failed = answer.events.last else {
                Issue.record("\(text): \(answer.events)")
                continue
            }
        }
        // JSON, but no value of the topic: each program finds that for itself.
        let wrong =
            #"{"sender":"0123456789abcdef","note":nonsense,"sequence":1,"time":1,"origin":"","from":"c","value":{"from":7}}"#
        // It passes on what it has read, and not the text, of which the rest may be anything.
        let passed = Recorder(TapClient(path: place.socket).watch(pattern: "test.numbers", count: 1))
        await until { !passed.values.isEmpty }
        let answer = Recorder(stranger.post(Array(wrong.utf8), to: "test.numbers"))
        await offThePool { answer.waitForEnd() }
        await until { first.refusals.count == 1 && other.refusals.count == 1 }
        await offThePool { passed.waitForEnd() }
        let text = passed.values.reduce([UInt8]()) { if case .event(let event) = $1 { event.value ?? $0 } else { $0 } }
        #expect(AnyJSON.isOne(text), "\(String(decoding: text, as: UTF8.self))")
        other.bus.post(Numbered(from: "b", number: 1), to: .numbers)
        await until { heard.allSatisfy { !$0.values.isEmpty } }
        #expect(heard.allSatisfy { $0.values.map(\.number) == [1] })
        #expect(other.connections == 1 && other.disconnections == 0)
        #expect(first.refusals.count == 1 && other.refusals.count == 1)
    }

    @Test("A tap that is no link takes nothing, and the link says so")
    func otherTap() async throws {
        let place = try await TestPlace(.unix)
        let bus = NotificationBus()
        let tap = try bus.serve(at: place.socket)
        let program = try await place.program("a", [Topic.numbers.shared()])
        program.bus.post(Numbered(from: "a", number: 1), to: .numbers)
        await until { program.unsent == 1 }
        // Its own events are no messages.
        bus.post(Numbered(from: "x", number: 1), to: .numbers)
        bus.post("text", to: Topic("test.texts"))
        // A refusal ends no connection. A tap that ends may accept another one or two before its socket is gone.
        #expect(program.connections == 1, "\(program.news)")
        tap.dispose()
        await until { program.disconnections > 0 }
        #expect(program.news.contains { "\($0)".contains("nobody may post on the topic test.numbers") })
    }

    @Test("Messages without headers, with wrong ones, and with wrong contents are refused and counted")
    func overNATS() async throws {
        let place = try await TestPlace(.nats)
        let program = try await place.program("a", [Topic.numbers.shared()])
        let heard = program.heard(on: .numbers)
        let nats = NATSConnection(NATSOptions(try #require(place.server).url))
        let good: NATSHeaders = [
            "Bus-Sender": "0123456789abcdef", "Bus-Sequence": "1", "Bus-Time": "1", "Bus-Origin": "a:1",
        ]
        var all: [(NATSHeaders, String)] = [([:], "{}"), ([:], ""), (good, ""), (good, "{"), (good, "[1,2]")]
        for (name, value) in [
            ("Bus-Sender", "x"), ("Bus-Sequence", "0"), ("Bus-Sequence", "-1"), ("Bus-Sequence", "1.5"),
            ("Bus-Sequence", "99999999999999999999"), ("Bus-Time", "now"),
        ] {
            var headers = good
            headers[name] = value
            all.append((headers, #"{"from":"x","number":1}"#))
        }
        all.append((good, String(repeating: "[", count: 50_000)))
        all.append((good, #"{"from":""# + String(repeating: "x", count: 200_000) + #"","number":1}"#))
        for (headers, payload) in all {
            try await nats.publish(payload, to: "test.bus.test.numbers", headers: headers)
        }
        // The largest number is no reason to leave out what comes after it.
        for (number, time) in [("18446744073709551615", "1"), ("5", "2")] {
            var headers = good
            headers["Bus-Sequence"] = number
            headers["Bus-Time"] = time
            try await nats.publish(#"{"from":"x","number":1}"#, to: "test.bus.test.numbers", headers: headers)
        }
        await until { heard.values.count == 2 }
        #expect(program.refusals.count == all.count && program.disconnections == 0)
        #expect(program.refusals.allSatisfy { !$0.contains("\n") && $0.count < 500 })
    }
}
