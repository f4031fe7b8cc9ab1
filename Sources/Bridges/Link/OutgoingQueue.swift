import Bus
import DequeModule
import HeapModule

/// Values that wait to be sent, topic by topic: the thread that posts puts them in, the link's thread takes them out, in the order
/// in which they were posted.
///
/// Each value takes a number of its topic when it is posted, so that receivers see which were left out.
final class OutgoingQueue: Sendable {
    struct Entry: Sendable {
        let topic: TopicName
        let sequence: UInt64
        let value: OutgoingValue
        let traceparent: TraceParent?
        /// The place among the values of all topics.
        fileprivate let place: UInt64
    }

    /// Values that are not sent.
    enum Loss: Sendable, Hashable {
        /// They were left out because too many of the topic were waiting.
        case full(TopicName)
        /// The bus lost them before they took a number. If a pattern is shared, their topics are not known.
        case onBus(TopicPattern)
    }

    fileprivate struct Topic: Sendable {
        var waiting: Deque<Entry> = []
        var lastNumber: UInt64 = 0
    }

    /// A topic with values that wait, and the place that its first value had when it was noted. That value may have been left out since.
    private struct FirstPlace: Comparable, Sendable {
        let place: UInt64
        let topic: TopicName

        static func < (a: FirstPlace, b: FirstPlace) -> Bool { a.place < b.place }
    }

    private struct State: Sendable {
        var topics: [TopicName: Topic] = [:]
        /// One for each topic with values that wait.
        var places = Heap<FirstPlace>()
        /// How many values were lost since the last report.
        var losses: [Loss: Int] = [:]
        var lastPlace: UInt64 = 0
        /// Whether the link's thread knows that values wait, or was notified.
        var isAwake = false
        var isClosed = false
    }

    private let limit: Int
    private let state = Lock(State())

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// - Returns: whether the link's thread has to be woken.
    func add(_ value: OutgoingValue, to name: TopicName, _ traceparent: TraceParent?) -> Bool {
        // What is left out is released after the lock.
        let (wakes, _) = state.withLock { state -> (Bool, Entry?) in
            if state.isClosed { return (false, nil) }
            state.lastPlace += 1
            let place = state.lastPlace
            if state.topics[name]?.waiting.isEmpty ?? true {
                state.places.insert(FirstPlace(place: place, topic: name))
            }
            let dropped = state.topics[name, default: Topic()].add(limit) { number in
                Entry(topic: name, sequence: number, value: value, traceparent: traceparent, place: place)
            }
            if dropped != nil { state.losses[.full(name), default: 0] += 1 }
            defer { state.isAwake = true }
            return (!state.isAwake, dropped)
        }
        return wakes
    }

    /// Counts values that the bus lost.
    ///
    /// - Returns: whether the link's thread has to be woken.
    func lose(_ count: Int, of pattern: TopicPattern) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.losses[.onBus(pattern), default: 0] += count
            defer { state.isAwake = true }
            return !state.isAwake
        }
    }

    /// The value that was posted first. Once there is none, the next one wakes the link's thread.
    func take() -> Entry? {
        state.withLock { state in
            while let noted = state.places.popMin() {
                guard let first = state.topics[noted.topic]?.waiting.first else { continue }
                guard first.place == noted.place else {
                    state.places.insert(FirstPlace(place: first.place, topic: noted.topic))
                    continue
                }
                let entry = state.topics[noted.topic]?.waiting.popFirst()
                if let next = state.topics[noted.topic]?.waiting.first {
                    state.places.insert(FirstPlace(place: next.place, topic: noted.topic))
                }
                return entry
            }
            state.isAwake = false
            return nil
        }
    }

    /// How many values were lost since this was last called, topic by topic.
    func takeLosses() -> [(loss: Loss, count: Int)] {
        let losses = state.withLock { state in
            defer { state.losses = [:] }
            return state.losses
        }
        return losses.map { ($0.key, $0.value) }.sorted { $0.0.topic.description < $1.0.topic.description }
    }

    /// How many wait.
    var count: Int { state.withLock { $0.topics.values.reduce(0) { $0 + $1.waiting.count } } }

    /// Takes no more, and drops what waits. Returns how many that were, topic by topic.
    func close() -> [(topic: TopicName, count: Int)] {
        let dropped = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.topics
        }
        return dropped.map { ($0.key, $0.value.waiting.count) }.filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
    }
}

extension OutgoingQueue.Loss {
    /// The topic, or the pattern that is shared.
    var topic: TopicPattern {
        switch self {
        case .full(let name): TopicPattern(name)
        case .onBus(let pattern): pattern
        }
    }
}

extension OutgoingQueue.Topic {
    /// Returns the value that it leaves out.
    fileprivate mutating func add(_ limit: Int, _ entry: (UInt64) -> OutgoingQueue.Entry) -> OutgoingQueue.Entry? {
        lastNumber += 1
        var dropped: OutgoingQueue.Entry?
        if waiting.count >= limit {
            dropped = waiting.popFirst()
        }
        waiting.append(entry(lastNumber))
        return dropped
    }
}
