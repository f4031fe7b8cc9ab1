import Bus
import TestSupport

// Threads post, subscribe and leave at once, for Thread Sanitizer. `Scripts/sanitize.sh` builds it with optimization: only then does the
// compiler specialize the collections, whose code the sanitizer otherwise does not see.

/// Values are kept where the number is odd.
let topics = try (0..<12).map { number in
    let name = try TopicName(checking: "a\(number % 3).b\(number % 4).c\(number)")
    return Topic<String>(name, keeping: number % 2 == 0 ? .nothing : .last(4))
}
let patterns: [TopicPattern] = ["a0.>", "a1.*.c1", "*.b1.>", "a2.b2.c2", ">", "*.*.c5", "a0.b0.>"]
let rounds = 30_000
// Topics are forgotten all the time.
let bus = NotificationBus(topicLimit: 8)
var threads: [Latch] = []

/// Opens the latch when the thread is done.
func thread(_ body: @escaping @Sendable () -> Void) throws -> Latch {
    let done = Latch()
    try PinnedThread.start(name: "storm") {
        body()
        done.open()
    }
    return done
}

for seed in 0..<8 as Range<UInt64> {
    // Posters take no lock of the bus, which would hide a race.
    let posters = topics.map { bus.poster(for: $0) }
    let done = try thread { [rounds] in
        var random = SeededGenerator(seed)
        for round in 0..<rounds { random.pick(posters).post("value \(round)") }
    }
    threads.append(done)
}
for seed in 8..<12 as Range<UInt64> {
    let done = try thread { [topics, patterns, bus, rounds] in
        var random = SeededGenerator(seed)
        var live: [any Disposable] = []
        for round in 0..<rounds / 5 {
            let topic = random.pick(topics)
            if live.count > 20 {
                live.remove(at: random.number(0..<live.count)).dispose()
            } else if random.chance(50) {
                live.append(bus.envelopes(matching: random.pick(patterns)).subscribe(next: { _ in }))
            } else {
                let envelopes: any Signal<Envelope<String>, Never> = bus.envelopes(for: topic)
                live.append(envelopes.subscribe(next: { _ in }))
            }
            if round % 7 == 0 { bus.clearRetained(for: topic) }
            if round % 5 == 0 { _ = bus.poster(for: topic).wantsValues }
            if round % 9 == 0 { _ = bus.retained(for: topic).count }
            if round % 11 == 0 { _ = bus.subscribers.count }
            if round % 13 == 0 { _ = bus.topics.count }
        }
        for subscription in live { subscription.dispose() }
    }
    threads.append(done)
}
for done in threads { done.wait() }
