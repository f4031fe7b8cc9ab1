import Bus
import BusTesting
import TestSupport
import Testing

/// Random operations on one thread, compared with a model that keeps lists.
@Suite("A bus and its model")
struct BusModelTests {
    @Test func randomOperationsGiveWhatTheModelSays() {
        for round in 0..<Stress.rounds(300, stress: 3_000) {
            let seed = Stress.isAsked ? UInt64.random(in: 0 ... .max) : UInt64(round)
            var trial = BusTrial(seed)
            for _ in 0..<60 { trial.step() }
            let complaints = trial.finish()
            #expect(complaints == [], "seed \(seed)")
            if !complaints.isEmpty { return }
        }
    }
}

private struct BusTrial {
    struct Message: Equatable, Sendable {
        let topic: String
        let sequence: UInt64
        let value: Int
    }

    final class Subscriber {
        let pattern: TopicPattern
        let isExact: Bool
        let limit: Int
        let dropsOldest: Bool
        let recorder: PausingRecorder<Message, Never>
        /// What was heard according to the model.
        var heard: [Message] = []
        var waiting: [Message] = []
        var room: Int
        var lost = 0
        var isLive = true
        /// How many messages it hears, or is told that it lost.
        var due = 0
        /// It had no room for all that was kept when it came. The replay goes on when there is room, among messages of
        /// other topics: then the model knows the number of messages and their order within a topic.
        var isReplayedLater = false

        init(
            _ pattern: TopicPattern,
            isExact: Bool,
            limit: Int,
            dropsOldest: Bool,
            room: Int,
            _ signal: some Signal<Message, Never>
        ) {
            self.pattern = pattern
            self.isExact = isExact
            self.limit = limit
            self.dropsOldest = dropsOldest
            self.room = room
            recorder = PausingRecorder(signal, after: room)
        }

        func hear(_ message: Message) {
            guard isLive else { return }
            due += 1
            if room > 0 {
                room -= 1
                heard.append(message)
            } else if waiting.count < limit {
                waiting.append(message)
            } else if dropsOldest {
                lost += 1
                waiting.removeFirst()
                waiting.append(message)
            } else {
                lost += 1
            }
        }

        func release(_ count: Int) {
            recorder.release(count)
            guard isLive else { return }
            room += count
            while room > 0, !waiting.isEmpty {
                room -= 1
                heard.append(waiting.removeFirst())
            }
        }
    }

    struct ModelTopic {
        let retention: Int
        var sequence: UInt64 = 0
        var kept: [Message] = []
    }

    static let names: [(name: TopicName, retention: TopicRetention)] = [
        ("a", .nothing), ("a.b", .last), ("a.c", .last(3)), ("b.c", .nothing), ("b.b.c", .last(2)),
    ]
    static let patterns: [TopicPattern] = [">", "a", "a.*", "*.c", "a.>", "b.>", "*.b.*", "b.b.c", "x"]

    var random: SeededGenerator
    let bus = NotificationBus()
    var topics: [TopicName: ModelTopic] = [:]
    var subscribers: [Subscriber] = []
    var number = 0

    init(_ seed: UInt64) {
        random = SeededGenerator(seed)
        for (name, retention) in Self.names { topics[name] = ModelTopic(retention: retention.count) }
    }

    mutating func step() {
        switch random.number(0..<12) {
        case 0: subscribe()
        case 1: subscribeToPattern()
        case 2 where !subscribers.isEmpty:
            let subscriber = random.pick(subscribers)
            subscriber.recorder.dispose()
            subscriber.isLive = false
        case 3, 4:
            if !subscribers.isEmpty { random.pick(subscribers).release(random.number(1..<4)) }
        case 5: clear()
        default: post()
        }
    }

    private mutating func post() {
        let (name, retention) = random.pick(Self.names)
        number += 1
        bus.post(number, to: Topic(name, keeping: retention))
        guard var topic = topics[name] else { return }
        topic.sequence += 1
        let message = Message(topic: name.text, sequence: topic.sequence, value: number)
        if topic.retention > 0 { topic.kept = (topic.kept + [message]).suffix(topic.retention) }
        topics[name] = topic
        for subscriber in subscribers where subscriber.pattern.matches(name) { subscriber.hear(message) }
    }

    private mutating func clear() {
        let pattern = random.pick(Self.patterns)
        bus.clearRetained(matching: pattern)
        for name in topics.keys where pattern.matches(name) { topics[name]?.kept = [] }
    }

    private mutating func subscribe() {
        let (name, retention) = random.pick(Self.names)
        let topic = Topic<Int>(name, keeping: retention)
        let (limit, dropsOldest, room) = policy()
        let signal = bus.envelopes(for: topic, limit: limit, overflow: dropsOldest ? .dropOldest : .dropNewest)
        let subscriber = Subscriber(
            TopicPattern(name),
            isExact: true,
            limit: limit,
            dropsOldest: dropsOldest,
            room: room,
            signal.map { Message(topic: $0.topic.text, sequence: $0.sequence, value: $0.value) }
        )
        let kept = topics[name]?.kept ?? []
        subscriber.isReplayedLater = kept.count > room + limit
        for message in kept { subscriber.hear(message) }
        subscribers.append(subscriber)
    }

    private mutating func subscribeToPattern() {
        let pattern = random.pick(Self.patterns)
        let (limit, dropsOldest, room) = policy()
        let signal = bus.envelopes(
            matching: pattern,
            of: Int.self,
            limit: limit,
            overflow: dropsOldest ? .dropOldest : .dropNewest
        )
        let subscriber = Subscriber(
            pattern,
            isExact: false,
            limit: limit,
            dropsOldest: dropsOldest,
            room: room,
            signal.map { Message(topic: $0.topic.text, sequence: $0.sequence, value: $0.value) }
        )
        let kept = topics.keys.sorted().filter(pattern.matches).flatMap { topics[$0]?.kept ?? [] }
        subscriber.isReplayedLater = kept.count > room
        for message in kept { subscriber.hear(message) }
        subscribers.append(subscriber)
    }

    private mutating func policy() -> (limit: Int, dropsOldest: Bool, room: Int) {
        (random.number(1..<5), random.chance(50), random.pick([0, 1, 3, 1_000]))
    }

    /// Delivers everything queued, and returns the differences between the bus and the model.
    func finish() -> [String] {
        bus.close()
        for subscriber in subscribers { subscriber.release(1_000) }
        return subscribers.enumerated().flatMap { index, subscriber -> [String] in
            var complaints: [String] = []
            let name = "subscriber \(index) of \(subscriber.pattern)"
            if subscriber.isReplayedLater {
                let topics = Dictionary(grouping: subscriber.recorder.values, by: \.topic)
                for (topic, heard) in topics where heard.map(\.sequence) != Set(heard.map(\.sequence)).sorted() {
                    complaints.append("\(name) heard \(heard.map(\.sequence)) of \(topic)")
                }
                guard subscriber.isLive else { return complaints }
                let heard = subscriber.recorder.values.count + subscriber.recorder.lost
                if heard != subscriber.due { complaints.append("\(name) knows of \(heard) and not \(subscriber.due)") }
                if !subscriber.recorder.hasEnded { complaints.append("\(name) has not ended") }
                return complaints + subscriber.recorder.violations
            }
            if subscriber.recorder.values != subscriber.heard {
                complaints.append("\(name) heard \(subscriber.recorder.values) and not \(subscriber.heard)")
            }
            guard subscriber.isLive else { return complaints }
            if subscriber.recorder.lost != subscriber.lost {
                complaints.append("\(name) was told of \(subscriber.recorder.lost) losses and not \(subscriber.lost)")
            }
            if !subscriber.recorder.hasEnded { complaints.append("\(name) has not ended") }
            return complaints + subscriber.recorder.violations
        }
    }
}
