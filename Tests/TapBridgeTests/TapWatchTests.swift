import Bus
import Foundation
import TestSupport
import Testing

@testable import TapBridge

@Suite("Watching a bus through a tap")
struct TapWatchTests {
    private let numbers = Topic<Int>("numbers")

    @Test("An event contains everything that is known of it")
    func event() throws {
        let served = try Served()
        let client = try served.client()
        served.bus.post(Deployment(service: "kept", version: 0), to: .kept)
        client.watch(#"{"pattern":"deploy.*","count":2}"#)
        let kept = try #require(client.receive())
        #expect(kept.kind == "event" && kept.text("topic") == "deploy.kept" && kept.continues)
        let child = served.bus.child(named: "inner")
        child.post(Deployment(service: "web", version: 3), to: .started)
        let event = try #require(client.receive())
        #expect(event.text("topic") == "deploy.started")
        #expect(event.number("sequence") == 1)
        #expect(event.text("scope") == "inner")
        #expect(event.text("type") == "Deployment")
        #expect(event.text("origin")?.contains("TapWatchTests.swift:") == true)
        #expect(event.value["service"] as? String == "web" && event.value["version"] as? Int == 3)
        let wall = ClockReading.of(CLOCK_REALTIME) / 1000
        #expect(abs(try #require(event.number("time")) - Int(wall)) < 600_000_000)
        let end = try #require(client.receive())
        #expect(end.kind == "end" && end.text("reason") == "count" && !end.continues)
        #expect(served.watches == 0)
    }

    @Test("Only events that the filter selects arrive, and the others are reported as a position")
    func filtered() throws {
        let served = try Served()
        let client = try served.client()
        client.watch(
            #"{"filter":"value.service == \"web\" && value.version > 1 && topic.startsWith('deploy')","count":2}"#
        )
        let poster = served.bus.poster(for: .started)
        waitUntil { served.watches == 1 }
        for version in 1...3 {
            for service in ["web", "db"] { poster.post(Deployment(service: service, version: version)) }
        }
        #expect(client.receive()?.number("sequence") == 3)
        #expect(client.receive()?.number("sequence") == 5)
        #expect(client.receive()?.kind == "end")
        client.watch(#"{"filter":"value == 3"}"#)
        waitUntil { served.watches == 1 }
        poster.post(Deployment(service: "web", version: 1))
        served.bus.post(1, to: numbers)
        served.bus.post(2, to: numbers)
        let position = try #require(client.receive())
        #expect(position.kind == "position")
        let seen = position.list("positions").map { "\($0["topic"] ?? "") \($0["sequence"] ?? "")" }
        #expect(seen == ["deploy.started 7", "numbers 2"])
        served.bus.post(3, to: numbers)
        #expect(client.receive()?.number("value") == 3)
    }

    @Test(
        "A filter sees each field",
        arguments: [
            #"sequence == 1"#, #"origin.contains('TapWatchTests.swift:')"#, #"type == 'Int'"#, #"scope == ''"#,
            #"value + 1 == 8"#,
            #"topic == 'numbers'"#, #"record.value == 7"#, #"time > timestamp('2020-01-01T00:00:00Z')"#,
            #"age < duration('1h')"#,
        ]
    )
    func fields(_ filter: String) throws {
        let served = try Served()
        let client = try served.client()
        let poster = served.bus.poster(for: numbers)
        client.watch(#"{"filter":"\#(filter)","count":1}"#)
        waitUntil { served.watches == 1 }
        poster.post(7)
        #expect(client.receive()?.number("value") == 7)
    }

    @Test("A filter that is invalid, or asks for too much, is refused with its reason")
    func filterErrors() throws {
        let served = try Served()
        let client = try served.client()
        func refused(_ filter: String) -> Reply? {
            client.watch(#"{"filter":"\#(filter)"}"#)
            return client.receive()
        }
        let wrong = refused("value.x ==")
        #expect(wrong?.error == "org.busctl-rx.Tap.InvalidFilter")
        #expect(wrong?.number("line") == 1 && wrong?.text("message")?.isEmpty == false)
        #expect(refused("tpoic == 'x'")?.text("message")?.contains("topic") == true)
        let long = refused("true" + String(repeating: " || true", count: 1000))
        #expect(long?.error == "org.busctl-rx.Tap.InvalidFilter")
        #expect(long?.parameters["over_limit"] as? Bool == true)
        let large = refused("topic.matches('.{500}')")
        #expect(large?.error == "org.busctl-rx.Tap.InvalidFilter")
    }

    @Test("A filter that costs too much ends its watch with an error, and affects nobody else")
    func costly() throws {
        var options = TapOptions()
        let lines = Heard<String>()
        options.log = lines.append
        let served = try Served(options)
        let topic = Topic<[Int]>("lists")
        let poster = served.bus.poster(for: topic)
        let client = try served.client()
        let other = try served.client()
        other.watch(#"{"count":60}"#)
        waitUntil { served.watches == 1 }
        client.watch(#"{"filter":"value.all(x, value.all(y, x + y >= 0)) && false"}"#)
        waitUntil { served.watches == 2 }
        for _ in 0..<60 { poster.post(Array(0..<1000)) }
        var last = client.receive()
        while last?.continues == true { last = client.receive() }
        #expect(last?.error == "org.busctl-rx.Tap.FilterTooCostly")
        #expect(other.receiveAll().last?.text("reason") == "count")
        #expect(lines.values.contains { $0.contains("costs too much") })
        #expect(client.ask("org.varlink.service.GetInfo")?.error == nil)
    }

    @Test("Values that cannot be shown are marked as such")
    func notShown() throws {
        struct Opaque: Sendable { let x = 1 }
        struct Failing: Encodable, Sendable {
            struct Reason: Error {}
            func encode(to encoder: any Encoder) throws { throw Reason() }
        }
        let served = try Served()
        let client = try served.client()
        client.watch(#"{"pattern":"x.>","count":3,"buffer":16384}"#)
        waitUntil { served.isWatched }
        served.bus.post(Opaque(), to: Topic("x.a"))
        served.bus.post(String(repeating: "x", count: 10_000), to: Topic("x.b"))
        served.bus.post(Failing(), to: Topic("x.c"))
        let opaque = client.receive()
        #expect(opaque?.text("text") == "Opaque(x: 1)" && opaque?.parameters["value"] == nil)
        let large = client.receive()
        #expect(large?.parameters["truncated"] as? Bool == true && large?.parameters["value"] == nil)
        #expect(client.receive()?.text("error") == "Reason()")
    }

    @Test("A watch ends when its time is over")
    func time() throws {
        var options = TapOptions()
        options.duration = .milliseconds(20)
        let served = try Served(options)
        let client = try served.client()
        client.watch()
        #expect(client.receiveAll().last?.text("reason") == "time")
        client.watch(#"{"seconds":1}"#)
        #expect(client.receiveAll().last?.text("reason") == "time")
    }

    @Test("A client that does not read misses events, and is told how many at the place of the loss")
    func slow() throws {
        let served = try Served()
        let poster = served.bus.poster(for: numbers)
        let client = try served.client()
        client.watch(#"{"buffer":16384}"#)
        waitUntil { served.watches == 1 }
        let count = 100_000
        for number in 1...count { poster.post(number) }
        served.bus.close()
        var next = 1
        var reasons: Set<String> = []
        // Reading ends the watch, so it cannot have ended before.
        let replies = client.receiveAll()
        for reply in replies.dropLast() {
            switch reply.kind {
            case "event":
                #expect(reply.number("sequence") == next)
                #expect(reply.number("value") == next)
                next += 1
            case "gap":
                next += reply.number("lost") ?? 0
                reasons.insert(reply.text("reason") ?? "")
            default: #expect(Bool(false), "\(reply)")
            }
        }
        #expect(next == count + 1)
        #expect(replies.last?.text("reason") == "closed")
        #expect(!reasons.isEmpty)
    }

    @Test("A client that reads a byte at a time gets everything that its buffer holds")
    func slowReader() throws {
        let served = try Served()
        let poster = served.bus.poster(for: numbers)
        let client = try served.client()
        client.watch(#"{"count":20}"#)
        waitUntil { served.watches == 1 }
        for number in 1...20 { poster.post(number) }
        #expect(client.receiveAll(upTo: 1).compactMap { $0.number("value") } == Array(1...20))
    }

    @Test("A watch that uses up its processor time misses events instead")
    func processor() throws {
        var options = TapOptions()
        options.processorShare = 0.001
        let served = try Served(options)
        let poster = served.bus.poster(for: numbers)
        let client = try served.client()
        client.watch()
        waitUntil { served.watches == 1 }
        for number in 1...20_000 { poster.post(number) }
        served.bus.close()
        let replies = client.receiveAll()
        let lost = replies.filter { $0.text("reason") == "processor" }.compactMap { $0.number("lost") }.reduce(0, +)
        #expect(lost > 0)
        let all = replies.compactMap { $0.number("lost") }.reduce(0, +) + replies.count { $0.kind == "event" }
        #expect(all == 20_000)
    }

    @Test("Unused processor time is saved for a while, and overuse has to be paid back")
    func budget() {
        let budget = ProcessorBudget(share: 0.5, now: 0)
        budget.spend(240_000_000, now: 0)
        #expect(!budget.isStillExhausted(0))
        budget.spend(110_000_000, now: 0)
        #expect(budget.isStillExhausted(0) && budget.isStillExhausted(199_000_000))
        #expect(!budget.isStillExhausted(201_000_000))
        budget.spend(251_000_000, now: 10_000_000_000)
        #expect(budget.isStillExhausted(10_000_000_000))
    }

    @Test("A share of any size gives a budget", arguments: [0, 1e300, .infinity, .nan])
    func unusualShares(share: Double) {
        let budget = ProcessorBudget(share: share, now: 0)
        for now: Int64 in [0, 0, 1, 1, 0] { budget.spend(1, now: now) }
        #expect(!budget.isStillExhausted(1))
        budget.spend(.max, now: 1)
        #expect(budget.isStillExhausted(1) == !(share > 1))
    }

    @Test("Nothing is subscribed while nobody watches, and nothing is kept afterwards")
    func nothingIsKept() throws {
        let served = try Served()
        let alive = Alive()
        struct Holding: Sendable, CustomStringConvertible {
            let token: Alive.Token
            var description: String { "held" }
        }
        let poster = served.bus.poster(for: Topic<Holding>("held"))
        let client = try served.client()
        #expect(client.ask("org.varlink.service.GetInfo") != nil)
        #expect(served.watches == 0 && !poster.wantsValues)
        client.watch(#"{"buffer":16384}"#)
        waitUntil { served.watches == 1 }
        for _ in 0..<1000 { poster.post(Holding(token: alive.token())) }
        shutdown(client.descriptor, CInt(SHUT_RDWR))
        waitUntil { served.watches == 0 }
        alive.waitForNone()
        #expect(!poster.wantsValues)
    }
}
