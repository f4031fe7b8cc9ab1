import Bus
import TestSupport
import Testing

@testable import TapBridge

@Suite("The activity of a tap")
struct TapActivityTests {
    private let numbers = Topic<Int>("numbers")

    @Test("Clients and watches are counted while they exist")
    func counts() throws {
        let served = try Served()
        #expect(served.tap.activity == TapActivity(clients: 0, watches: 0, lost: 0))
        var first: VarlinkClient? = try served.client()
        let second = try served.client()
        // A client that got an answer has been accepted.
        for client in [first, second] { _ = client?.ask("org.varlink.service.GetInfo") }
        #expect(served.tap.activity == TapActivity(clients: 2, watches: 0, lost: 0))
        second.watch(#"{"count":1}"#)
        waitUntil { served.tap.activity.watches == 1 && served.isWatched }
        served.bus.post(1, to: numbers)
        #expect(second.receiveAll().count == 2)
        #expect(served.tap.activity.watches == 0)
        first = nil
        waitUntil { served.tap.activity.clients == 1 }
        #expect(served.tap.activity == TapActivity(clients: 1, watches: 0, lost: 0))
    }

    @Test("A client that leaves in the middle of a watch is no longer counted")
    func gone() throws {
        let served = try Served()
        var client: VarlinkClient? = try served.client()
        client?.watch()
        waitUntil { served.tap.activity.watches == 1 }
        client = nil
        waitUntil { served.tap.activity.clients == 0 }
        #expect(served.tap.activity == TapActivity(clients: 0, watches: 0, lost: 0))
    }

    @Test("Missed events of watches are counted when they are reported")
    func losses() throws {
        let served = try Served()
        let client = try served.client()
        client.watch(#"{"buffer":16384}"#)
        waitUntil { served.isWatched }
        let texts = Topic<String>("texts")
        for _ in 0..<5000 { served.bus.post(String(repeating: "x", count: 1000), to: texts) }
        var (heard, missed) = (0, 0)
        while heard + missed < 5000 {
            let reply = try #require(client.receive())
            switch reply.kind {
            case "event": heard += 1
            case "gap": missed += reply.number("lost") ?? 0
            default: Issue.record("\(reply)")
            }
        }
        #expect(missed > 0)
        #expect(served.tap.activity.lost == missed)
    }
}
