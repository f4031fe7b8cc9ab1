import Bus
import Foundation
import Records
import TestSupport
import Testing

@testable import TapBridge

/// An event as a client of either framing sees it.
private struct Seen: Equatable {
    let names: [String]
    let sequence: UInt64
    let times: [String?]
    let fields: [String]
    let message: String?

    init(_ event: TapEvent) {
        names = [event.topic, event.scope, event.origin, event.type]
        sequence = event.sequence
        times = [event.time?.description, event.uptime?.description]
        fields = event.withFields { fields in
            fields.map { field in
                let name = String(decoding: field.name, as: UTF8.self)
                return switch field.value {
                case .json(let json): "\(name): \(String(decoding: json, as: UTF8.self))"
                case .text(let text): "\(name)= \(String(decoding: text, as: UTF8.self))"
                default: name
                }
            }
        }
        message = event.withMessage { $0.map { String(decoding: $0, as: UTF8.self) } }
    }
}

@Suite("The compact framing")
struct CompactFramingTests {
    private struct Fails: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
    }

    private static let odd = [
        "", "a\"b\\", "\u{1F600} e\u{301}", "\n\t\u{0}\u{7F}", "日本語", String(repeating: "x", count: 300),
    ]

    /// Random events with random names and values.
    private func random(_ generator: inout SeededGenerator) -> Envelope<any Sendable> {
        let bus = NotificationBus()
        let names = ["plain", "deploy.started", "a.b.c", "deploy.Ended-2"]
        let scoped = generator.chance(30) ? bus.child(named: generator.pick(["web", "x y", "é\"\\"])) : bus
        let value: any Sendable =
            switch generator.number(0..<6) {
            case 0: generator.number(-1000..<1000)
            case 1: Deployment(service: generator.pick(Self.odd), version: generator.number(0..<9))
            case 2: Self.odd
            case 3: Fails()
            case 4: String(repeating: "y", count: 5000)
            default: -2.5e-7
            }
        let heard = Lock<[Envelope<any Sendable>]>([])
        let name = generator.pick(names)
        let subscription = bus.envelopes(matching: ">").subscribe(next: { event in heard.withLock { $0.append(event) } }
        )
        defer { subscription.dispose() }
        func post<Value: Sendable>(_ value: Value) {
            guard let topic = try? Topic<Value>(checking: name) else { return }
            scoped.post(value, to: topic)
        }
        post(value)
        return heard.withLock { $0[0] }
    }

    private func read(_ bytes: [UInt8], _ generator: inout SeededGenerator) throws -> [TapEvent] {
        var reader = CompactReader()
        var events: [TapEvent] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(generator.number(1..<3000))
            rest = rest.dropFirst(part.count)
            reader.append(part)
            while let frame = try reader.next() {
                switch frame {
                case .event(let event): events.append(event)
                case .message(let message):
                    guard case .reply(let reply) = TapReply.read(message), let event = TapEvent(reply.parameters) else {
                        Issue.record("a message that is no event")
                        continue
                    }
                    events.append(event)
                }
            }
        }
        return events
    }

    @Test("Events are the same in both framings")
    func roundTrip() throws {
        var generator = SeededGenerator(41)
        let text = EventText(EncodingBounds())
        var frames = OutputBuffer()
        var messages = OutputBuffer()
        let count = Stress.rounds(500, stress: 20_000)
        for _ in 0..<count {
            let event = random(&generator)
            text.begin(event)
            text.encode(event.value)
            let limit = generator.pick([100, 2000, 1 << 20])
            text.append(event, to: &frames, in: .compact, valueLimit: limit)
            text.append(event, to: &messages, in: .json, valueLimit: limit)
        }
        let compact = try read(frames.withBytes { Array($0) }, &generator)
        let json = messages.withBytes { Array($0) }.split(separator: 0).compactMap { message -> TapEvent? in
            guard case .reply(let reply) = TapReply.read(message) else { return nil }
            return TapEvent(reply.parameters)
        }
        #expect(compact.count == count && json.count == count)
        for (left, right) in zip(compact, json) where Seen(left) != Seen(right) {
            Issue.record("\(Seen(left)) is not \(Seen(right))")
        }
        #expect(frames.count < messages.count)
    }

    @Test("Names that do not fit into the table restart it, and names that are too long are sent as messages")
    func table() throws {
        var generator = SeededGenerator(5)
        let text = EventText(EncodingBounds())
        var frames = OutputBuffer()
        let bus = NotificationBus()
        let heard = Lock<[Envelope<any Sendable>]>([])
        let subscription = bus.envelopes(matching: ">").subscribe(next: { event in heard.withLock { $0.append(event) } }
        )
        let count = 2 * CompactFrame.namesLimit + 10
        for number in 0..<count { bus.post(number, to: try Topic<Int>(checking: "t\(number)")) }
        let long = String(repeating: "z", count: CompactFrame.oneNamesSizeLimit)
        bus.child(named: long).post(1, to: Topic<Int>("long"))
        subscription.dispose()
        for event in heard.withLock({ $0 }) {
            text.begin(event)
            text.encode(event.value)
            text.append(event, to: &frames, in: .compact, valueLimit: .max)
        }
        let events = try read(frames.withBytes { Array($0) }, &generator)
        #expect(events.dropLast().map(\.topic) == (0..<count).map { "t\($0)" })
        #expect(events.last?.scope == long)
    }

    @Test("A client gets it if it asks for it, and messages follow the watch")
    func negotiation() throws {
        let served = try Served()
        let client = try served.client()
        client.watch(#"{"framing":"huge"}"#)
        let refusal = client.receive()
        #expect(refusal?.error == "org.varlink.service.InvalidParameter" && refusal?.text("parameter") == "framing")
        client.watch(#"{"framing":"json","announce":true,"count":1}"#)
        let plain = client.receive()
        #expect(plain?.kind == "begin" && plain?.text("framing") == nil)
        served.bus.post(1, to: Topic<Int>("numbers"))
        #expect(client.receive()?.kind == "event")
        #expect(client.receive()?.kind == "end")
        client.watch(#"{"framing":"compact","count":1}"#)
        let begin = client.receive()
        #expect(begin?.kind == "begin" && begin?.text("framing") == "compact")
        served.bus.post(2, to: Topic<Int>("numbers"))
        var reader = CompactReader()
        var kinds: [String] = []
        var byte: UInt8 = 0
        while kinds.last != "end", recv(client.descriptor, &byte, 1, 0) == 1 {
            reader.append(CollectionOfOne(byte))
            switch try reader.next() {
            case .event(let event): kinds.append("event \(event.topic) \(event.sequence)")
            case .message(let message): kinds.append(message.contains(UInt8(ascii: "c")) ? "end" : "?")
            case nil: break
            }
        }
        #expect(kinds == ["event numbers 2", "end"])
        #expect(client.ask("org.varlink.service.GetInfo")?.text("vendor") == "busctl-rx")
    }
}
