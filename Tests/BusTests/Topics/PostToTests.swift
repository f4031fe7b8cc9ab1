import Bus
import BusTesting
import Testing

extension Topic where Value == Int {
    fileprivate static let numbers = Topic("test.numbers")
    fileprivate static let keptFour = Topic("test.kept-four", keeping: .last(4))
}

@Suite("Signals on topics")
struct PostToTests {
    let bus = NotificationBus()

    @Test func everyValueIsPosted() {
        let recorder = Recorder(bus.envelopes(for: .numbers))
        let source = ProbeSource(of: Int.self, failure: Never.self)
        let handle = source.post(to: .numbers, on: bus)
        let line = UInt(#line - 1)
        source.send(1)
        source.sendLoss(of: 2)
        source.send(4)
        source.complete()
        #expect(recorder.values.map(\.value) == [1, 4])
        #expect(recorder.values.map(\.sequence) == [1, 4])
        #expect(recorder.values.map(\.origin.line) == [line, line])
        #expect(recorder.lost == 2)
        #expect(!recorder.hasEnded)
        handle.dispose()
    }

    @Test("a loss of no values takes no number", arguments: [0, -1])
    func noLoss(count: Int) {
        let recorder = Recorder(bus.envelopes(for: .numbers))
        let (source, subject) = (ProbeSource(of: Int.self, failure: Never.self), Subject(of: Int.self))
        let handles = [source.post(to: .numbers, on: bus), subject.post(to: .numbers, on: bus)]
        source.sendLoss(of: count)
        source.send(1)
        subject.sendLoss(of: count)
        subject.send(2)
        #expect(recorder.values.map(\.sequence) == [1, 2])
        #expect(recorder.lost == 0)
        for handle in handles { handle.dispose() }
    }

    @Test("each value goes to the topic that it belongs to")
    func computedTopics() throws {
        let recorder = Recorder(bus.envelopes(matching: try TopicPattern(checking: "test.unit.*"), of: Int.self))
        let source = ProbeSource(of: Int.self, failure: Never.self)
        let missing = Lock(0)
        let handle = source.post(on: bus, lost: { count in missing.withLock { $0 += count } }) { value in
            value < 0 ? nil : try? Topic(checking: "test.unit.\(TopicName.token(encoding: "u\(value).service"))")
        }
        source.send(1)
        source.send(-1)
        source.sendLoss(of: 2)
        source.send(2)
        #expect(recorder.values.map(\.topic.text) == ["test.unit.u1%2Eservice", "test.unit.u2%2Eservice"])
        #expect(missing.withLock { $0 } == 2)
        bus.close()
        source.send(3)
        #expect(source.liveSubscriptions == 0)
        handle.dispose()
    }

    @Test("a token for any text, and back")
    func tokens() throws {
        for text in ["nginx.service", "", "%", "a b", "*", ">", "ü", "dev-sda1.swap\n", "plain"] {
            let token = TopicName.token(encoding: text)
            #expect(try TopicName(checking: "x.\(token)").text == "x.\(token)")
            #expect(TopicName.text(decoding: token) == text)
        }
        #expect(TopicName.token(encoding: "nginx.service") == "nginx%2Eservice")
        for token in ["a%", "%GG", "%-0", "%+0", "%41", "%2e", "*", "a.b", ""] {
            #expect(TopicName.text(decoding: token) == nil)
        }
    }

    @Test func disposalEndsIt() {
        let recorder = Recorder(bus.signal(for: .numbers))
        let source = ProbeSource(of: Int.self, failure: Never.self)
        let handle = source.post(to: .numbers, on: bus)
        source.send(1)
        handle.dispose()
        #expect(source.liveSubscriptions == 0)
        source.send(2)
        #expect(recorder.values == [1])
    }

    @Test func aClosedBusEndsIt() {
        let source = ProbeSource(of: Int.self, failure: Never.self)
        let handle = source.post(to: .numbers, on: bus)
        bus.close()
        source.send(1)
        #expect(source.liveSubscriptions == 0)
        handle.dispose()
        let late = Signals.from(1...3).post(to: .numbers, on: bus)
        late.dispose()
    }

    @Test("a source that is paused when the bus ends learns of it", arguments: [true, false])
    func anEndReleasesAPausedSource(closes: Bool) {
        var bus: NotificationBus? = NotificationBus()
        let emitters = Log<Emitter<Int, Never>>()
        let resource = ActionDisposable {}
        let source = Signals.create(of: Int.self) { emitter in
            emitters.append(emitter)
            return resource
        }
        let slow = bus.map { PausingRecorder($0.signal(for: .numbers, limit: 1), after: 1) }
        let handle = bus.map { source.post(to: .numbers, on: $0, waitsForCapacity: true) }
        let answers = emitters.entries.flatMap { emitter in (1...3).map { emitter.send($0) } }
        #expect(answers.last == .pause)
        if closes { bus?.close() } else { bus = nil }
        #expect(emitters.entries.map { $0.send(9) } == [.stop])
        #expect(resource.isDisposed)
        handle?.dispose()
        slow?.dispose()
    }

    @Test("a source that waits for the bus around learns of the end of its child", arguments: [true, false])
    func anEndOfAChildReleasesAPausedSource(closes: Bool) {
        var child: NotificationBus? = bus.child(named: "web")
        let emitters = Log<Emitter<Int, Never>>()
        let resource = ActionDisposable {}
        let source = Signals.create(of: Int.self) { emitter in
            emitters.append(emitter)
            return resource
        }
        let slow = PausingRecorder(bus.signal(for: .numbers, limit: 1), after: 1)
        let handle = child.map { source.post(to: .numbers, on: $0, waitsForCapacity: true) }
        let answers = emitters.entries.flatMap { emitter in (1...3).map { emitter.send($0) } }
        #expect(answers.last == .pause)
        if closes { child?.close() } else { child = nil }
        #expect(emitters.entries.map { $0.send(9) } == [.stop])
        #expect(resource.isDisposed)
        handle?.dispose()
        slow.dispose()
    }

    @Test func theEndOfTheBusAroundResumesASourceOfItsChild() {
        var bus: NotificationBus? = NotificationBus()
        let child = bus?.child(named: "web")
        let slow = bus.map { PausingRecorder($0.signal(for: .numbers, limit: 1), after: 1) }
        let inside = child.map { Recorder($0.signal(for: .numbers)) }
        let handle = child.map { Signals.from(1...100).post(to: .numbers, on: $0, waitsForCapacity: true) }
        #expect(inside.map { $0.values.count < 100 } == true)
        bus = nil
        #expect(inside?.values == Array(1...100))
        handle?.dispose()
        slow?.dispose()
    }

    @Test func slowSubscribersDoNotSlowItUnlessAsked() {
        let slow = PausingRecorder(bus.signal(for: .numbers, limit: 1), after: 1)
        let fast = Recorder(bus.signal(for: .numbers))
        let handle = Signals.from(1...5).post(to: .numbers, on: bus)
        #expect(fast.values == [1, 2, 3, 4, 5])
        #expect(slow.values == [1])
        slow.release()
        #expect(slow.values == [1, 5])
        #expect(slow.lost == 3)
        handle.dispose()
    }

    @Test func theSlowestSubscriberSetsThePaceWhereAsked() {
        let slow = PausingRecorder(bus.signal(for: .numbers, limit: 4), after: 1)
        let pattern = PausingRecorder(bus.envelopes(matching: ">", of: Int.self, limit: 4), after: 2)
        let handle = Signals.from(1...100).post(to: .numbers, on: bus, waitsForCapacity: true)
        for _ in 1...200 {
            slow.release(1)
            pattern.release(1)
        }
        #expect(slow.values == Array(1...100))
        #expect(pattern.values.map(\.value) == Array(1...100))
        #expect(slow.lost == 0)
        #expect(pattern.lost == 0)
        handle.dispose()
    }

    @Test("a pattern subscriber in its replay sets the pace, too, until it leaves", arguments: [true, false])
    func aReplaySetsThePace(leaves: Bool) {
        for value in 1...4 { bus.post(value, to: .keptFour) }
        let pattern = PausingRecorder(bus.envelopes(matching: ">", of: Int.self, limit: 1), after: 1)
        let poster = bus.poster(for: .keptFour)
        #expect(poster.demand == .pause)
        let handle = Signals.from(5...20).post(to: .keptFour, on: bus, waitsForCapacity: true)
        #expect(bus.retained(for: .keptFour).map(\.value) == [1, 2, 3, 4])
        if leaves { pattern.dispose() } else { pattern.release() }
        #expect(bus.retained(for: .keptFour).map(\.value) == [17, 18, 19, 20])
        #expect(pattern.values.map(\.value) == Array(1...(leaves ? 1 : 20)))
        #expect(pattern.lost == 0)
        #expect(poster.demand == .more)
        handle.dispose()
    }
}
