import Bus
import BusTesting
import TestSupport
import Testing

/// Many threads post, subscribe, replay and dispose at random.
@Suite("A bus under concurrent use")
struct BusStormTests {
    static let topics = [
        Topic<Int>("storm.a.plain"), Topic<Int>("storm.b.plain"), Topic<Int>("storm.a.last", keeping: .last),
        Topic<Int>("storm.b.many", keeping: .last(16)),
    ]

    @Test func everyNumberIsHeardOnceOrAccountedFor() {
        let rounds = Stress.rounds(1_500, stress: 6_000)
        let bus = NotificationBus()
        let worker = ConcurrentScheduler(name: "storm", threads: 2)
        let accounts = Log<Account>()
        // Held to the end, so that no topic is forgotten, and its numbers begin anew.
        let held = Self.topics.map { bus.poster(for: $0) }
        let posted = Log<[UInt64]>()
        let group = Threads()
        for thread in 0..<8 {
            let seed = Stress.isAsked ? UInt64.random(in: 0 ... .max) : UInt64(thread)
            group.start {
                var random = SeededGenerator(seed)
                let posters = Self.topics.map { bus.poster(for: $0) }
                var live: [(Account, any Disposable)] = []
                var counts = [UInt64](repeating: 0, count: Self.topics.count)
                for round in 0..<rounds {
                    let topic = random.number(0..<Self.topics.count)
                    switch random.number(0..<20) {
                    case 0: live.append(Self.subscribe(to: bus, Self.topics[topic], on: worker, &random))
                    case 1 where !live.isEmpty: live.remove(at: random.number(0..<live.count)).1.dispose()
                    case 2: bus.clearRetained(for: Self.topics[topic])
                    case 3..<8:
                        bus.post(round, to: Self.topics[topic])
                        counts[topic] += 1
                    default:
                        posters[topic].post(round)
                        counts[topic] += 1
                    }
                }
                for (account, _) in live { accounts.append(account) }
                posted.append(counts)
            }
        }
        group.wait()
        // The topics' own counts may be behind: a thread of the worker may have values in line that it has not numbered yet.
        let counts = posted.entries.reduce(into: [TopicName: UInt64]()) { sums, counts in
            for (topic, count) in zip(Self.topics, counts) { sums[topic.name, default: 0] += count }
        }
        for topic in Self.topics { bus.post(-1, to: topic) }
        bus.close()
        for account in accounts.entries { account.ended.wait() }
        #expect(!accounts.entries.isEmpty)
        for account in accounts.entries { #expect(account.complaints == [], "\(account.name)") }
        // Each subscriber that stayed to the end heard the last value of each topic, or its loss.
        for account in accounts.entries where account.lost == 0 {
            for (name, last) in account.last {
                #expect(last == counts[name, default: 0] + 1, "\(account.name) heard #\(last) of \(name) last")
            }
        }
        withExtendedLifetime(held) {}
        worker.settle(threads: 2)
    }

    private static func subscribe(
        to bus: NotificationBus,
        _ topic: Topic<Int>,
        on worker: ConcurrentScheduler,
        _ random: inout SeededGenerator
    ) -> (Account, any Disposable) {
        let limit = random.pick([1, 8, 1024])
        let hops = random.chance(50)
        let overflow: Overflow<Never> = random.pick([.dropOldest, .dropNewest])
        if random.chance(50) {
            let account = Account("\(topic), limit \(limit)", isExact: true)
            let signal = bus.envelopes(for: topic, limit: limit, overflow: overflow)
            return (account, account.hear(signal, hops ? worker : nil))
        }
        let pattern: TopicPattern = random.pick(["storm.>", "storm.*.plain", "*.b.*", "storm.b.many"])
        let account = Account("\(pattern), limit \(limit)", isExact: false)
        let signal = bus.envelopes(matching: pattern, of: Int.self, limit: limit, overflow: overflow)
        return (account, account.hear(signal, hops ? worker : nil))
    }
}

/// What one subscriber was told, and whether it is consistent.
private final class Account: Sendable {
    private struct State: Sendable {
        var last: [TopicName: UInt64] = [:]
        var missing: UInt64 = 0
        var lost: UInt64 = 0
        var lostSinceValue: UInt64 = 0
        var complaints: [String] = []
    }

    let name: String
    let ended = Latch()
    private let isExact: Bool
    private let state = Lock(State())

    init(_ name: String, isExact: Bool) {
        self.name = name
        self.isExact = isExact
    }

    var complaints: [String] {
        state.withLock { state in
            // A pattern's losses are reported without their topic, so only the sums can be compared. The last losses
            // may be of values that no later one shows to be missing.
            let isShort = state.lost < state.missing
            return state.complaints + (isShort ? ["\(state.missing) are missing, \(state.lost) were told"] : [])
        }
    }

    var lost: UInt64 { state.withLock { $0.lost } }
    var last: [TopicName: UInt64] { state.withLock { $0.last } }

    func hear(_ signal: some Signal<Envelope<Int>, Never>, _ worker: ConcurrentScheduler?) -> any Disposable {
        if let worker { listen(signal.deliver(on: worker, limit: 4)) } else { listen(signal) }
    }

    private func listen(_ signal: some Signal<Envelope<Int>, Never>) -> any Disposable {
        signal.subscribe(
            next: { self.hear($0.topic, $0.sequence) },
            completed: { self.ended.open() },
            lost: { self.lose($0) }
        )
    }

    private func hear(_ topic: TopicName, _ sequence: UInt64) {
        state.withLock { state in
            defer { state.lostSinceValue = 0 }
            guard let last = state.last.updateValue(sequence, forKey: topic) else { return }
            if sequence <= last {
                state.complaints.append("\(topic) #\(sequence) came behind #\(last)")
                return
            }
            state.missing += sequence - last - 1
            if isExact, sequence - last - 1 != state.lostSinceValue {
                state.complaints.append(
                    "#\(sequence) came behind #\(last), and \(state.lostSinceValue) were told to be lost"
                )
            }
        }
    }

    private func lose(_ count: Int) {
        state.withLock { state in
            state.lost += UInt64(count)
            state.lostSinceValue += UInt64(count)
        }
    }
}
