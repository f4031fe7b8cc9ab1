import Bus
import TestSupport
import Testing

/// The tree of patterns compared with a plain scan of all patterns.
@Suite("Patterns find their topics")
struct PatternMatchingTests {
    /// All sequences of up to `length` tokens, as text.
    static func words(_ tokens: [String], upTo length: Int) -> [String] {
        var (all, last) = ([String](), [""])
        for _ in 0..<length {
            last = last.flatMap { word in tokens.map { word.isEmpty ? $0 : "\(word).\($0)" } }
            all += last
        }
        return all
    }

    static let names = words(["a", "b"], upTo: 4).compactMap { try? TopicName(checking: $0) }
    static let patterns = words(["a", "b", "*", ">"], upTo: 4).compactMap { try? TopicPattern(checking: $0) }

    @Test func everyPatternOfASmallAlphabetHearsTheTopicsThatAScanFinds() {
        #expect(Self.names.count == 30)
        #expect(Self.patterns.count == 3 + 9 + 27 + 81 + 1 + 3 + 9 + 27)
        let bus = NotificationBus()
        let heard = Self.patterns.map { _ in Log<TopicName>() }
        let handles = CompoundDisposable()
        for (pattern, log) in zip(Self.patterns, heard) {
            bus.envelopes(matching: pattern).subscribe(next: { log.append($0.topic) }).store(in: handles)
        }
        for name in Self.names { bus.post(1, to: Topic<Int>(name)) }
        for (pattern, log) in zip(Self.patterns, heard) {
            #expect(log.entries == Self.names.filter(pattern.matches), "\(pattern)")
        }
        handles.dispose()
        for name in Self.names { bus.post(2, to: Topic<Int>(name)) }
        for (pattern, log) in zip(Self.patterns, heard) {
            #expect(log.entries.count == Self.names.count(where: pattern.matches), "\(pattern)")
        }
        #expect(bus.topics.allSatisfy { $0.patternSubscribers == 0 })
    }

    @Test func patternsThatComeAndGoAtRandomHearWhatAScanFinds() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(Stress.isAsked ? seed : 18)
        let bus = NotificationBus()
        var live: [(pattern: TopicPattern, log: Log<Int>, handle: any Disposable, expected: [Int])] = []
        var finished: [(TopicPattern, Log<Int>, [Int])] = []
        for number in 0..<Stress.rounds(5_000, stress: 30_000) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                guard let pattern = Self.patterns.randomElement(using: &random) else { continue }
                let log = Log<Int>()
                let handle = bus.envelopes(matching: pattern, of: Int.self).subscribe(next: { log.append($0.value) })
                live.append((pattern, log, handle, []))
            case 1 where !live.isEmpty:
                let gone = live.remove(at: Int.random(in: live.indices, using: &random))
                gone.handle.dispose()
                finished.append((gone.pattern, gone.log, gone.expected))
            default:
                guard let name = Self.names.randomElement(using: &random) else { continue }
                bus.post(number, to: Topic<Int>(name))
                for index in live.indices where live[index].pattern.matches(name) {
                    live[index].expected.append(number)
                }
            }
        }
        finished += live.map { ($0.pattern, $0.log, $0.expected) }
        for (pattern, log, expected) in finished {
            #expect(log.entries == expected, "\(pattern), seed \(seed)")
        }
        for subscriber in live { subscriber.handle.dispose() }
    }
}
