import Bus
import Glibc
import LinkBridge
import Records
import TestSupport
import Testing

@Suite("One bus, in one process, between processes and between machines")
struct LinkFormsTests {
    @Test(
        "Three programs hear each value once, those of a sender in order, and nothing comes back",
        arguments: LinkForm.allCases
    )
    func threePrograms(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let topics = [Topic.numbers.shared(), Topic.others.shared()]
        let programs = [
            try await place.program("a", topics, isFirst: true), try await place.program("b", topics),
            try await place.program("c", topics),
        ]
        let heard = programs.map { $0.heard(on: .numbers) }
        let ends = programs.map { $0.heard(on: .others) }
        for number in 1...500 {
            for (index, program) in programs.enumerated() {
                program.bus.post(Numbered(from: "\(index)", number: number), to: .numbers)
            }
        }
        await until { heard.allSatisfy { $0.values.count >= 1500 } }
        // What comes back would come before the answer to this.
        programs[0].bus.post(Numbered(from: "0", number: 1), to: .others)
        await until { ends[1].values.contains(Numbered(from: "0", number: 1)) }
        programs[1].bus.post(Numbered(from: "1", number: 2), to: .others)
        await until { ends.allSatisfy { $0.values.contains(Numbered(from: "1", number: 2)) } }
        for values in heard.map(\.values) {
            #expect(values.count == 1500)
            for index in 0..<3 {
                #expect(values.filter { $0.from == "\(index)" }.map(\.number) == Array(1...500))
            }
        }
        #expect(programs.allSatisfy { $0.missing == 0 && $0.unsent == 0 && $0.refusals == [] })
    }

    @Test("The direction says which way values go", arguments: LinkForm.carried)
    func directions(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let sender = try await place.program("a", [Topic.numbers.shared(.sent)], isFirst: true)
        let hearer = try await place.program("b", [Topic.numbers.shared(.heard), Topic.others.shared(.sent)])
        let both = try await place.program("c", [Topic.numbers.shared(), Topic.others.shared()])
        let (ofSender, ofHearer) = (sender.heard(on: .numbers), hearer.heard(on: .numbers))
        let (ofBoth, othersOfBoth) = (both.heard(on: .numbers), both.heard(on: .others))
        sender.bus.post(Numbered(from: "a", number: 1), to: .numbers)
        hearer.bus.post(Numbered(from: "b", number: 2), to: .numbers)
        await until { ofBoth.values.count == 1 && ofHearer.values.count == 2 }
        both.bus.post(Numbered(from: "c", number: 3), to: .numbers)
        hearer.bus.post(Numbered(from: "b", number: 4), to: .others)
        await until { ofHearer.values.count == 3 && othersOfBoth.values.count == 1 }
        #expect(ofSender.values.map(\.number) == [1])
        #expect(Set(ofHearer.values.map(\.number)) == [1, 2, 3])
        #expect(ofBoth.values.map(\.number) == [1, 3])
    }

    @Test("What comes has its sender, number, time, origin and trace", arguments: LinkForm.carried)
    func headers(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let trace = try #require(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
        let sender = try await place.program("sensor", [Topic.numbers.shared(.sent)], isFirst: true) {
            $0.traceparent = { trace }
        }
        let hearer = try await place.program("guard", [Topic.numbers.shared(.heard)])
        let arrivals = Heard<RemoteEnvelope<Numbered>>()
        let subscription = hearer.link.arrivals(on: .numbers).subscribe(next: arrivals.append)
        let before = time()
        sender.bus.post(Numbered(from: "a", number: 1), to: .numbers, fileID: "Sensor/Main.swift", line: 7)
        sender.bus.post(Numbered(from: "a", number: 2), to: .numbers, fileID: "Sensor/Main.swift", line: 8)
        await until { arrivals.values.count == 2 }
        let after = time()
        subscription.dispose()
        let values = arrivals.values
        #expect(values.map(\.sequence) == [1, 2] && values.map(\.value.number) == [1, 2])
        #expect(values.map(\.origin) == ["Sensor/Main.swift:7", "Sensor/Main.swift:8"])
        #expect(values.allSatisfy { $0.sender == sender.link.sender && $0.traceparent == trace })
        #expect(values.allSatisfy { $0.sender.name.hasPrefix("sensor[") })
        // A microsecond of rounding on either side.
        #expect(values.allSatisfy { (before - 1...after + 1).contains($0.time.microseconds) })
    }

    /// Microseconds since 1970.
    private func time() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }

    @Test("What a sender's topic keeps is sent when the link begins", arguments: LinkForm.carried)
    func keptValues(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let topic = Topic<Int>("test.level", keeping: .last)
        let first = try await place.program("a", [topic.shared()], isFirst: true)
        let heard = first.heard(on: topic)
        let bus = NotificationBus()
        bus.post(1, to: topic)
        bus.post(2, to: topic)
        let link = bus.link([topic.shared()], over: try BusAddress(place.address()))
        await until { !heard.values.isEmpty }
        #expect(heard.values == [2] && first.bus.retained(for: topic).map(\.value) == [2])
        link.dispose()
    }

    @Test("A value that cannot be sent is left out and counted, and the rest comes", arguments: LinkForm.carried)
    func unsendable(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let (doubles, texts) = (Topic<Double>("test.doubles"), Topic<String>("test.texts"))
        let topics = [doubles.shared(), texts.shared()]
        let sender = try await place.program("a", topics, isFirst: true)
        let hearer = try await place.program("b", topics)
        let (numbers, words) = (hearer.heard(on: doubles), hearer.heard(on: texts))
        sender.bus.post(1, to: doubles)
        sender.bus.post(.nan, to: doubles)
        sender.bus.post(2, to: doubles)
        let largest = String(repeating: "x", count: LinkOptions.maxValueSize - 2)
        sender.bus.post(largest, to: texts)
        sender.bus.post(largest + "x", to: texts)
        sender.bus.post("end", to: texts)
        await until { words.values.count == 2 && numbers.values.count == 2 }
        #expect(numbers.values == [1, 2] && words.values == [largest, "end"])
        #expect(sender.unsent == 2 && hearer.missing == 2 && hearer.refusals == [])
    }

    @Test("A value that is nested too deep is left out and counted, and the rest comes", arguments: LinkForm.carried)
    func tooDeep(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let topic = Topic<Nested>("test.nested")
        let sender = try await place.program("a", [topic.shared()], isFirst: true)
        let hearer = try await place.program("b", [topic.shared()])
        let heard = hearer.heard(on: topic)
        for depth in [99, 100, 1] { sender.bus.post(Nested(depth: depth), to: topic) }
        await until { heard.values.count == 2 }
        #expect(heard.values.map(\.depth) == [99, 1] && hearer.missing == 1)
        let reason = "it has more than 99 objects and lists within each other"
        #expect(sender.news.contains(.unsent(topic: "test.nested", count: 1, reason: reason)))
    }

    @Test("A value of another type is refused and counted, and the rest comes", arguments: LinkForm.carried)
    func otherType(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let sender = try await place.program("a", [Topic<String>("test.x").shared()], isFirst: true)
        let hearer = try await place.program("b", [Topic<Int>("test.x").shared(), Topic.others.shared()])
        let heard = hearer.heard(on: Topic<Int>("test.x"))
        sender.bus.post("one", to: Topic("test.x"))
        await until { !hearer.refusals.isEmpty }
        let third = try await place.program("c", [Topic<Int>("test.x").shared()])
        third.bus.post(7, to: Topic("test.x"))
        await until { !heard.values.isEmpty }
        #expect(heard.values == [7] && hearer.refusals.count == 1)
        #expect(hearer.refusals[0].contains("cannot be decoded") && hearer.refusals[0].contains("a["))
    }

    @Test("Large values come one after the other, and no connection ends", arguments: LinkForm.carried)
    func largeValues(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let (texts, lists) = (Topic<String>("test.texts"), Topic<[Int]>("test.lists"))
        let server = try await place.program("a", [texts.shared(), lists.shared()], isFirst: true)
        let sender = try await place.program("b", [texts.shared(.sent), lists.shared(.sent)])
        let hearer = try await place.program("c", [texts.shared(.heard), lists.shared(.heard)])
        let (heardTexts, heardLists) = (hearer.heard(on: texts), hearer.heard(on: lists))
        let (text, list) = (String(repeating: "x", count: 50_000), [Int](repeating: 0, count: 25_000))
        for count in 1...20 {
            sender.bus.post(text, to: texts)
            sender.bus.post(list, to: lists)
            await until {
                heardTexts.values.count == count && heardLists.values.count == count || hearer.connections > 1
            }
        }
        #expect(heardTexts.values.count == 20 && heardLists.values.count == 20)
        #expect(hearer.connections == 1 && hearer.missing == 0 && server.refusals == [])
    }

    @Test("A link ends with its bus, and when it is disposed of", arguments: LinkForm.carried)
    func ends(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let first = try await place.program("a", [Topic.numbers.shared()], isFirst: true)
        let second = try await place.program("b", [Topic.numbers.shared()])
        let heard = first.heard(on: .numbers)
        let (newsOver, arrivalsOver) = (Heard<Bool>(), Heard<Bool>())
        let subscriptions = [
            second.link.news.subscribe(completed: { newsOver.append(true) }),
            second.link.arrivals(on: .numbers).subscribe(completed: { arrivalsOver.append(true) }),
        ]
        second.bus.post(Numbered(from: "b", number: 1), to: .numbers)
        second.bus.close()
        await until { newsOver.values.count == 1 && arrivalsOver.values.count == 1 }
        await until { heard.values.count == 1 }
        #expect(heard.values.map(\.number) == [1])
        first.link.dispose()
        first.link.dispose()
        #expect(first.link.isDisposed)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test("A link that only hears ends when its bus is closed, and when it is dropped", arguments: LinkForm.allCases)
    func endsWithItsBus(_ form: LinkForm) async throws {
        let place = try await TestPlace(form)
        let first = try await place.program("a", [], isFirst: true)
        func link(_ bus: NotificationBus) async throws -> (any Disposable, isOver: @Sendable () -> Bool) {
            let (news, over) = (Heard<LinkNews>(), Heard<Bool>())
            let link = bus.link([Topic.numbers.shared(.heard)], over: try BusAddress(place.address()))
            let subscription = link.news.subscribe(next: news.append, completed: { over.append(true) })
            await until { !news.values.isEmpty }
            return (subscription, { !over.values.isEmpty })
        }
        let closed = NotificationBus()
        let (newsOfClosed, closedIsOver) = try await link(closed)
        closed.close()
        await until { closedIsOver() }
        // A link that is made afterwards ends at once.
        let lateIsOver = Heard<Bool>()
        let late = closed.link([], over: try BusAddress(place.address()))
            .news.subscribe(completed: { lateIsOver.append(true) })
        await until { !lateIsOver.values.isEmpty }
        var dropped: NotificationBus? = NotificationBus()
        let (newsOfDropped, droppedIsOver) = try await link(try #require(dropped))
        dropped = nil
        await until { droppedIsOver() }
        for subscription in [newsOfClosed, late, newsOfDropped] { subscription.dispose() }
        #expect(first.disconnections == 0)
    }
}
