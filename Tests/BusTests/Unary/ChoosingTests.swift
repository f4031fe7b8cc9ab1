import Bus
import BusTesting
import Testing

@Suite("Operators that select values")
struct ChoosingTests {
    @Test func uniqueForgetsWhatWasSentLongestAgo() {
        let values = Signals.from([1, 2, 1, 3, 2, 1, 3])
        // 3 displaces 1. Then 1 counts as new, and displaces 2.
        #expect(Recorder(values.unique(limit: 2)).values == [1, 2, 3, 1])
        #expect(Recorder(values.unique(limit: 3)).values == [1, 2, 3])
        #expect(Recorder(values.unique(limit: 0)).values == [1, 2, 1, 3, 2, 1, 3])
    }

    @Test func uniqueHoldsNoMoreKeysThanItsLimit() {
        final class Key: Hashable, Sendable {
            let number: Int
            init(_ number: Int) { self.number = number }
            static func == (left: Key, right: Key) -> Bool { left.number == right.number }
            func hash(into hasher: inout Hasher) { hasher.combine(number) }
        }
        let source = Subject(of: Int.self)
        let keys = Lock<[Int: () -> Bool]>([:])
        let handle = source.unique(limit: 4) { number -> Key in
            let key = Key(number)
            keys.withLock { $0[number] = { [weak key] in key != nil } }
            return key
        }.subscribe()
        for number in 1...100 { source.send(number) }
        let held = keys.withLock { $0.filter { $0.value() }.keys.sorted() }
        #expect(held == [97, 98, 99, 100])
        handle.dispose()
    }

    @Test func duplicatesAreComparedWithTheLastThatWasSent() {
        // A drift in steps of one is not noticed until it is far enough from the value sent.
        let recorder = Recorder(Signals.from(1...10).removeDuplicates { abs($0 - $1) < 4 })
        #expect(recorder.values == [1, 5, 9])
    }

    @Test func theFirstValueIsNeverADuplicate() {
        #expect(Recorder(Signals.from([0, 0, 1]).removeDuplicates()).values == [0, 1])
        #expect(Recorder(Signals.from([7, 7]).removeDuplicates { _, _ in true }).values == [7])
    }

    @Test func takeUntilAMatchLeavesItOutUnlessTold() {
        let source = ProbeSource<Int, TestFailure>()
        let without = Recorder(source.take(until: { $0 == 2 }))
        let with = Recorder(source.take(until: { $0 == 2 }, includingMatch: true))
        source.send(1)
        source.send(2)
        #expect(source.liveSubscriptions == 0)
        #expect(without.events == [.next(1), .completed])
        #expect(with.events == [.next(1), .next(2), .completed])
    }

    private typealias Choice = @Sendable (RawSource<Int, TestFailure>) -> AnySignal<Int, TestFailure>

    /// Each has enough when it hears 2 after 1.
    private static let choices: [Choice] = [
        { $0.take(first: 2).eraseToAnySignal() },
        { $0.take(while: { $0 < 2 }).eraseToAnySignal() },
        { $0.take(until: { $0 == 2 }).eraseToAnySignal() },
        { $0.take(until: { $0 == 2 }, includingMatch: true).eraseToAnySignal() },
        { $0.element(at: 1).eraseToAnySignal() },
    ]

    @Test(arguments: choices.indices)
    func aSourceThatGoesOnIsHeardNoMoreAndCannotFail(index: Int) {
        let source = RawSource<Int, TestFailure>()
        let recorder = Recorder(Self.choices[index](source))
        #expect(source.send(1) == .more)
        #expect(source.send(2) == .stop)
        let values = recorder.values
        #expect(source.send(1) == .stop)
        source.fail("late")
        #expect(recorder.values == values)
        #expect(recorder.events.last == .completed)
    }

    @Test func aPredicateIsNotAskedAgainOnceItHasDecided() {
        let asked = Log<Int>()
        let test: @Sendable (Int) -> Bool = { value in
            asked.append(value)
            return value < 2
        }
        #expect(Recorder(Signals.from([1, 2, 1]).skip(while: test)).values == [2, 1])
        #expect(asked.entries == [1, 2])
        #expect(Recorder(Signals.from([1, 2, 1]).take(while: test)).values == [1])
        #expect(asked.entries == [1, 2, 1, 2])
    }

    @Test func skipLastSendsEachValueAsSoonAsEnoughFollow() {
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(source.skip(last: 2))
        source.send(1)
        source.send(2)
        #expect(recorder.values == [])
        source.send(3)
        #expect(recorder.values == [1])
    }

    @Test("skip(last:) reports a loss behind the values that came before it", arguments: [true, false])
    func skipLastKeepsTheOrderOfLosses(completes: Bool) {
        let source = ProbeSource<Int, TestFailure>()
        let heard = Log<String>()
        let handle = source.skip(last: 2).subscribe(
            next: { heard.append("\($0)") },
            failed: { _ in heard.append("failed") },
            completed: { heard.append("completed") },
            lost: { heard.append("lost \($0)") }
        )
        source.sendLoss(of: 1)
        source.send(1)
        source.send(2)
        source.sendLoss(of: 2)
        source.sendLoss(of: 3)
        source.send(3)
        #expect(heard.entries == ["lost 1", "1"])
        source.send(4)
        source.sendLoss(of: 7)
        source.send(5)
        #expect(heard.entries == ["lost 1", "1", "2", "lost 5", "3"])
        if completes { source.complete() } else { source.fail("broken") }
        #expect(heard.entries.suffix(2) == ["lost 7", completes ? "completed" : "failed"])
        handle.dispose()
    }

    @Test("take(last:) reports a loss at its place among the values that it kept", arguments: [true, false])
    func takeLastKeepsTheOrderOfLosses(completes: Bool) {
        let source = ProbeSource<Int, TestFailure>()
        let heard = Log<String>()
        let handle = source.take(last: 2).subscribe(
            next: { heard.append("\($0)") },
            failed: { _ in heard.append("failed") },
            completed: { heard.append("completed") },
            lost: { heard.append("lost \($0)") }
        )
        source.sendLoss(of: 1)
        source.send(1)
        source.sendLoss(of: 2)
        source.send(2)
        source.send(3)
        source.sendLoss(of: 3)
        source.sendLoss(of: 4)
        source.send(4)
        source.sendLoss(of: 5)
        #expect(heard.entries == [])
        if completes { source.complete() } else { source.fail("broken") }
        let expected = completes ? ["lost 3", "3", "lost 7", "4", "lost 5", "completed"] : ["lost 15", "failed"]
        #expect(heard.entries == expected)
        handle.dispose()
    }

    @Test func anElementThatIsNotThereIsNoFailure() {
        #expect(Recorder(Signals.from(1...2).element(at: 2)).events == [.completed])
    }

    @Test func anElementBeforeTheFirstNeverSubscribes() {
        let source = ProbeSource<Int, TestFailure>()
        #expect(Recorder(source.element(at: -1)).events == [.completed])
        #expect(source.subscriptions == 0)
    }

    @Test func ignoredValuesHaveNoType() {
        let recorder: Recorder<Never, TestFailure> = Recorder(UnaryCase.source("1 2 x").ignoreValues())
        #expect(recorder.hasEnded)
        #expect(recorder.values.isEmpty)
    }
}
