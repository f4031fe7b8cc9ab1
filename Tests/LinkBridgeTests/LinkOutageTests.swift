import Bus
import LinkBridge
import TapBridge
import TestSupport
import Testing
import Timers

@Suite("Links whose other side goes away, or cannot keep up")
struct LinkOutageTests {
    /// A place whose first program or server can be ended and started again.
    private final class Outage: Sendable {
        let place: TestPlace
        private let first: Lock<LinkedProgram?>

        init(_ form: LinkForm) async throws {
            place = try await TestPlace(form)
            let needsFirst = form == .unix
            first = Lock(needsFirst ? try await place.program("first", [], isFirst: true) : nil)
        }

        func begin() async {
            // When it returns, the socket is gone.
            if let program = first.withLock({ $0.take() }) { await program.link.end() }
            await place.server?.stop()
        }

        func end() async throws {
            if place.form == .unix {
                let program = try await place.program("first", [], isFirst: true)
                first.withLock { $0 = program }
            }
            try await place.server?.restart()
        }
    }

    @Test(
        "The newest values wait while there is no connection; the others are counted on both sides",
        arguments: LinkForm.carried
    )
    func outage(_ form: LinkForm) async throws {
        let outage = try await Outage(form)
        let topics = [Topic.numbers.shared()]
        let sender = try await outage.place.program("a", topics) { $0.limit = 10 }
        let hearer = try await outage.place.program("b", topics)
        let heard = hearer.heard(on: .numbers)
        sender.bus.post(Numbered(from: "a", number: 1), to: .numbers)
        await until { heard.values.count == 1 }
        await outage.begin()
        await until { sender.disconnections > 0 && hearer.disconnections > 0 }
        for number in 2...101 { sender.bus.post(Numbered(from: "a", number: number), to: .numbers) }
        try await outage.end()
        await until { sender.connections > 1 && hearer.connections > 1 }
        // The last numbers may have been sent before the other side was there. This one is not.
        sender.bus.post(Numbered(from: "a", number: 102), to: .numbers)
        await until { heard.values.last?.number == 102 }
        let numbers = heard.values.map(\.number)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { $0 == 1 || $0 > 91 })
        #expect(sender.unsent == 90 && numbers.count + hearer.missing == 102)
    }

    @Test("A link that begins before its server waits for it", arguments: LinkForm.carried)
    func before(_ form: LinkForm) async throws {
        let outage = try await Outage(form)
        await outage.begin()
        let bus = NotificationBus()
        var options = LinkOptions()
        options.backoff = .exponential(from: .milliseconds(1), upTo: .milliseconds(20))
        let address = try BusAddress(outage.place.address())
        let early = LinkedProgram(bus, bus.link([Topic.numbers.shared()], over: address, options: options))
        await until { early.disconnections > 0 }
        #expect(early.connections == 0)
        try await outage.end()
        await until { early.isConnected }
        let other = try await outage.place.program("b", [Topic.numbers.shared()])
        let heard = other.heard(on: .numbers)
        bus.post(Numbered(from: "a", number: 1), to: .numbers)
        await until { !heard.values.isEmpty }
        #expect(heard.values.map(\.number) == [1])
    }

    @Test("A program that posts and ends its link has sent everything", arguments: LinkForm.carried)
    func postsAndEnds(_ form: LinkForm) async throws {
        let outage = try await Outage(form)
        let hearer = try await outage.place.program("b", [Topic.numbers.shared(.heard)])
        let heard = hearer.heard(on: .numbers)
        let bus = NotificationBus()
        let link = bus.link([Topic.numbers.shared(.sent)], over: try BusAddress(outage.place.address()))
        for number in 1...1000 { bus.post(Numbered(from: "a", number: number), to: .numbers) }
        // As long as the run, so that no machine is too slow for it.
        await link.end(within: .seconds(3600))
        #expect(link.isDisposed)
        await until { heard.values.count + hearer.missing == 1000 }
        #expect(heard.values.map(\.number) == Array(1...1000))
        await link.end()
    }

    @Test("The program that serves has sent everything when its link has ended")
    func servesAndEnds() async throws {
        let place = try await TestPlace(.unix)
        let topic = Topic<String>("test.texts")
        let server = try await place.program("a", [topic.shared(.sent)], isFirst: true)
        let hearer = try await place.program("b", [topic.shared(.heard)])
        let heard = hearer.heard(on: topic)
        // Together more than a socket takes at once.
        let text = String(repeating: "x", count: 2000)
        for _ in 0..<1000 { server.bus.post(text, to: topic) }
        await server.link.end(within: .seconds(3600))
        await until { hearer.disconnections > 0 }
        #expect(heard.values.count == 1000)
    }

    @Test("The program that serves waits no longer than it is told for a program that does not read")
    func servesTheDeaf() async throws {
        let place = try await TestPlace(.unix)
        let topic = Topic<String>("test.texts")
        let server = try await place.program("a", [topic.shared(.sent)], isFirst: true)
        let hearer = try await place.program("b", [topic.shared(.heard)])
        let gate = Latch()
        let arrivals = hearer.link.arrivals(on: topic).subscribe(next: { _ in gate.wait() })
        let text = String(repeating: "x", count: 20_000)
        for _ in 0..<100 { server.bus.post(text, to: topic) }
        await server.link.end(within: .milliseconds(1))
        gate.open()
        await until { hearer.disconnections > 0 }
        arrivals.dispose()
    }

    @Test("A link that has no connection ends when its time is over")
    func endsWithoutConnection() async throws {
        let place = try await TestPlace(.unix)
        let bus = NotificationBus()
        let link = bus.link([Topic.numbers.shared()], over: try BusAddress(place.address()))
        let unsent = Heard<LinkNews>()
        let news = link.news.subscribe(next: unsent.append)
        bus.post(Numbered(from: "a", number: 1), to: .numbers)
        await link.end(within: .milliseconds(1))
        #expect(unsent.values.contains(.unsent(topic: "test.numbers", count: 1, reason: "the link has ended")))
        news.dispose()
    }

    @Test("Of a link that ends while its values wait, each value is heard by the others or reported as not sent")
    func endsWhileFull() async throws {
        let place = try await TestPlace(.unix)
        let topic = Topic<String>("test.texts")
        let server = try await place.program("b", [topic.shared(.heard)], isFirst: true)
        let (numbers, gate) = (Heard<UInt64>(), Latch())
        let arrivals = server.link.arrivals(on: topic).subscribe(next: { arrival in
            numbers.append(arrival.sequence)
            // Nothing more is read.
            gate.wait()
        })
        let sender = try await place.program("a", [topic.shared(.sent)])
        let text = String(repeating: "x", count: 20_000)
        for _ in 0..<400 { sender.bus.post(text, to: topic) }
        await until { !numbers.values.isEmpty }
        sender.link.dispose()
        await until { sender.unsent > 0 }
        gate.open()
        await until { numbers.values.count + sender.unsent == 400 }
        #expect(numbers.values == numbers.values.indices.map { UInt64($0) + 1 })
        arrivals.dispose()
    }

    @Test("A second program that serves takes over from the first")
    func takeover() async throws {
        let place = try await TestPlace(.unix)
        let topics = [Topic.numbers.shared()]
        let first = try await place.program("a", topics, isFirst: true)
        let bus = NotificationBus()
        var options = LinkOptions()
        options.backoff = .exponential(from: .milliseconds(1), upTo: .milliseconds(20))
        let address = try BusAddress(place.address(isFirst: true))
        let second = LinkedProgram(bus, bus.link(topics, over: address, options: options))
        await until { second.disconnections > 0 }
        guard case .disconnected(let reason) = second.news[0] else {
            Issue.record("\(second.news)")
            return
        }
        #expect(reason == "cannot serve a tap at \(place.socket): another process listens there")
        let client = try await place.program("c", topics)
        first.link.dispose()
        await until { second.isConnected && client.connections > 1 }
        let heard = second.heard(on: .numbers)
        client.bus.post(Numbered(from: "c", number: 1), to: .numbers)
        await until { !heard.values.isEmpty }
        #expect(heard.values.map(\.number) == [1])
    }

    @Test("A subscriber that does not go on loses values, and is told of each", arguments: LinkForm.carried)
    func slow(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let topic = Topic<String>("test.texts")
        let sender = try await place.program("a", [topic.shared(.sent)], isFirst: true) {
            $0.limit = 100_000
            $0.tap.queue = 100
        }
        let fast = try await place.program("b", [topic.shared(.heard)])
        let slow = try await place.program("c", [topic.shared(.heard)])
        let ends = fast.heard(on: topic)
        let (arrivals, gate) = (Heard<UInt64>(), Latch())
        let subscription = slow.link.arrivals(on: topic).subscribe(next: { arrival in
            arrivals.append(arrival.sequence)
            gate.wait()
        })
        // Far more than may wait for one program.
        let text = String(repeating: "x", count: 20_000)
        for _ in 0..<2000 { sender.bus.post(text, to: topic) }
        await untilHeard(by: ends, from: sender, topic)
        gate.open()
        await untilHeard(by: slow.heard(on: topic), from: sender, topic)
        let numbers = arrivals.values
        #expect(numbers == numbers.sorted() && numbers.first == 1)
        #expect(UInt64(numbers.count + slow.missing) == numbers.last)
        // What waits at the server of NATS depends on its speed.
        if form == .unix { #expect(slow.missing > 0) }
        #expect(sender.unsent == 0)
        subscription.dispose()
    }

    /// Posts until a value has come: what waits may be too much for it, too.
    private func untilHeard(by heard: Heard<String>, from sender: LinkedProgram, _ topic: Topic<String>) async {
        await until {
            sender.bus.post("end", to: topic)
            return heard.values.contains("end")
        }
    }
}
