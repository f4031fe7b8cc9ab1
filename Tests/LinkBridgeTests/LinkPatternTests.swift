import Bus
import TestSupport
import Testing

@testable import LinkBridge

@Suite("Topics of a pattern over a link")
struct LinkPatternTests {
    private let pattern: TopicPattern = "test.p.>"

    @Test("each value is heard on its own topic, and nothing comes back", arguments: LinkForm.allCases)
    func carried(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let topics = [pattern.shared(as: Int.self), Topic.others.shared()]
        let programs = [
            try await place.program("a", topics, isFirst: true), try await place.program("b", topics),
            try await place.program("c", topics),
        ]
        let heard = programs.map { program in
            let heard = Heard<String>()
            program.bus.envelopes(matching: "test.>", of: Int.self).subscribe(next: {
                heard.append("\($0.topic) \($0.value)")
            })
            .store(in: program.subscriptions)
            return heard
        }
        let end = programs[2].heard(on: .others)
        let names = (0..<100).map { "test.p.a\($0 % 30)" + ($0 % 2 == 0 ? ".b" : "") }
        for (number, name) in names.enumerated() {
            programs[number % 2].bus.post(number, to: Topic(try TopicName(checking: name)))
        }
        await until { heard.allSatisfy { $0.values.count == 100 } }
        // Neither of another type nor of another topic. What comes back would come before this.
        if form != .process { programs[0].bus.post("text", to: Topic("test.p.text")) }
        programs[0].bus.post(Numbered(from: "0", number: 1), to: .others)
        await until { !end.values.isEmpty }
        let expected = Set(zip(names, 0..<100).map { "\($0) \($1)" })
        for values in heard.map(\.values) { #expect(values.count == 100 && Set(values) == expected) }
        // Those of one topic in order.
        for name in Set(names) {
            let numbers = heard[2].values.filter { $0.hasPrefix("\(name) ") }.compactMap {
                Int($0.split(separator: " ")[1])
            }
            #expect(numbers.filter { $0 % 2 == 0 } == numbers.filter { $0 % 2 == 0 }.sorted())
        }
        #expect(programs.allSatisfy { $0.missing == 0 && $0.unsent == 0 && $0.refusals == [] })
    }

    @Test("a topic that is used here with another type, or keeps values, is refused", arguments: LinkForm.carried)
    func refused(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let sender = try await place.program("a", [pattern.shared(.sent, as: Int.self)], isFirst: true)
        let hearer = try await place.program("b", [pattern.shared(.heard, as: Int.self)])
        let texts = hearer.heard(on: Topic<String>("test.p.text"))
        let kept = Topic<Int>("test.p.kept", keeping: .last)
        hearer.bus.post(1, to: kept)
        let numbers = hearer.heard(on: Topic<Int>("test.p.number"))
        let arrivals = Heard<Int>()
        hearer.link.arrivals(on: Topic<Int>("test.p.number")).subscribe(next: { arrivals.append($0.value) })
            .store(in: hearer.subscriptions)
        for name: TopicName in ["test.p.text", "test.p.kept", "test.p.number"] { sender.bus.post(7, to: Topic(name)) }
        await until { numbers.values == [7] && hearer.refusals.count == 2 }
        #expect(hearer.refusals.allSatisfy { $0.contains("of another type than Int") }, "\(hearer.refusals)")
        #expect(texts.values == [] && hearer.bus.retained(for: kept).map(\.value) == [1] && arrivals.values == [7])
    }

    /// Takes all messages and notes their values.
    private final class NotingCarrier: LinkCarrier {
        private let context: LinkContext
        private let sent: Heard<String>

        init(_ context: LinkContext, _ sent: Heard<String>) {
            self.context = context
            self.sent = sent
        }

        func start() { context.report(.connected) }
        let isReady = true
        func send(_ message: LinkMessage, on topic: TopicName) {
            sent.append(String(decoding: message.payload, as: UTF8.self))
        }
        let isIdle = true
        func stop(within patience: Duration, then done: @escaping @Sendable () -> Void) { done() }
    }

    @Test(
        "values that the bus loses before the link takes them are reported",
        arguments: [("test.p.>", "test.p.other", 65_536), ("test.p.first", "test.p.first", 100)]
            as [(TopicPattern, TopicName, Int)]
    )
    func lostOnBus(_ pattern: TopicPattern, _ other: TopicName, _ limit: Int) async throws {
        let bus = NotificationBus(limit: limit)
        let (sent, news, isOver) = (Heard<String>(), Heard<LinkNews>(), Heard<Bool>())
        let (first, other) = (Topic<Int>("test.p.first"), Topic<Int>(other))
        let (others, taken) = (limit + 50, Lock(0))
        var options = LinkOptions()
        options.limit = 10
        // The bus delivers the first value until this returns.
        options.traceparent = {
            let number = taken.withLock { taken in
                defer { taken += 1 }
                return taken
            }
            if number == 0 { for number in 0..<others { bus.post(number, to: other) } }
            return nil
        }
        let isPattern = pattern.literalPrefix != nil
        let shared = isPattern ? pattern.shared(as: Int.self) : first.shared()
        let core = LinkCore(bus, [shared], over: try BusAddress("process"), options) { NotingCarrier($0, sent) }
        let subscription = core.news.subscribe(next: news.append, completed: { isOver.append(true) })
        core.start()
        bus.post(0, to: first)
        // A topic loses the newest value: the last one has to wait for room. A pattern loses the oldest.
        if !isPattern { await until { taken.withLock { $0 } == limit + 1 } }
        bus.post(-1, to: other)
        await until { sent.values.contains("-1") }
        core.end()
        await until { !isOver.values.isEmpty }
        var unsent: [TopicPattern: Int] = [:]
        for case .unsent(let topic, let count, _) in news.values { unsent[topic, default: 0] += count }
        #expect(sent.values.count + unsent.values.reduce(0, +) == others + 2, "\(unsent)")
        if isPattern { #expect(unsent[pattern] ?? 0 >= 50) }
        subscription.dispose()
    }

    @Test("of many topics, what was posted first is sent first, also when some was left out")
    func order() throws {
        let queue = OutgoingQueue(limit: 3)
        var random = SeededGenerator(4)
        var posted: [(topic: Int, number: Int)] = []
        func value(_ number: Int) -> OutgoingValue {
            OutgoingValue(uptime: 0, origin: CodeLocation(fileID: "a", line: UInt(number)), encode: { [] })
        }
        for number in 0..<2000 {
            let topic = random.number(0..<50)
            posted.append((topic, number))
            // The oldest of the topic is left out.
            if posted.count(where: { $0.topic == topic }) > 3,
                let oldest = posted.firstIndex(where: { $0.topic == topic })
            {
                posted.remove(at: oldest)
            }
            _ = queue.add(value(number), to: try TopicName(checking: "t\(topic)"), nil)
            for _ in 0..<random.number(0..<2) where !posted.isEmpty {
                #expect(queue.take().map { Int($0.value.origin.line) } == posted.removeFirst().number)
            }
        }
        #expect(queue.count == posted.count)
        while let entry = queue.take() { #expect(Int(entry.value.origin.line) == posted.removeFirst().number) }
        #expect(posted.isEmpty)
    }

    @Test("patterns overlap if there is a name that both match")
    func overlaps() throws {
        func words(_ tokens: [String]) -> [String] {
            var (all, last) = ([String](), [""])
            for _ in 0..<3 {
                last = last.flatMap { word in tokens.map { word.isEmpty ? $0 : "\(word).\($0)" } }
                all += last
            }
            return all
        }
        // With a token that no pattern names, for the places that any name fills.
        let names = try words(["a", "b", "c"]).map { try TopicName(checking: $0) } + ["a.a.a.a", "b.b.b.b"]
        let patterns = words(["a", "b", "*", ">"]).compactMap { try? TopicPattern(checking: $0) }
        #expect(patterns.count > 50)
        for one in patterns {
            for other in patterns {
                let both = names.contains { one.matches($0) && other.matches($0) }
                #expect(one.overlaps(other) == both, "\(one) \(other)")
            }
        }
    }
}
