import Bus
import BusTesting
import Testing

@Suite("combineLatest")
struct CombineLatestTests {
    typealias Source = ProbeSource<Int, TestFailure>

    @Test func twoSignalsOfDifferentTypesCombineOnceEachHasSent() {
        let (a, b) = (Source(), ProbeSource<String, TestFailure>())
        let recorder = Recorder(a.combineLatest(b).map { "\($0.0)\($0.1)" })
        a.send(1)
        a.send(2)
        b.send("x")
        a.send(3)
        b.send("y")
        #expect(recorder.values == ["2x", "3x", "3y"])
        a.complete()
        b.send("z")
        #expect(!recorder.hasEnded)
        b.complete()
        #expect(recorder.values.last == "3z")
        #expect(recorder.events.last == .completed)
    }

    @Test func aPackOfDifferentTypesIsCombinedInPlace() {
        let (a, b, c, d) = (
            ProbeSource<Int8, Never>(), ProbeSource<String, Never>(), ProbeSource<Bool, Never>(),
            ProbeSource<Double, Never>()
        )
        let recorder = Recorder(Signals.combineLatest(a, b, c, d).map { "\($0.0) \($0.1) \($0.2) \($0.3)" })
        d.send(0.5)
        c.send(true)
        b.send("a text that is too long to be kept in place")
        #expect(recorder.values == [])
        a.send(7)
        b.send("short")
        c.send(false)
        #expect(
            recorder.values == [
                "7 a text that is too long to be kept in place true 0.5", "7 short true 0.5", "7 short false 0.5",
            ]
        )
        [a.complete, b.complete, c.complete].forEach { $0() }
        #expect(!recorder.hasEnded)
        d.complete()
        #expect(recorder.events.last == .completed)
    }

    @Test func whatAPackHoldsIsReleased() {
        final class Canary: Sendable {}
        let (a, b) = (Subject(of: Canary.self), Subject(of: Int.self))
        weak var old: Canary?
        weak var latest: Canary?
        let subscription = Signals.combineLatest(a, b).subscribe(next: { _ in })
        do {
            let (first, second) = (Canary(), Canary())
            (old, latest) = (first, second)
            a.send(first)
            a.send(second)
            b.send(1)
        }
        #expect(old == nil)
        #expect(latest != nil)
        subscription.dispose()
        #expect(latest == nil)
    }

    @Test func aListIsCombinedInItsOrder() {
        let sources = (0..<4).map { _ in Source() }
        let recorder = Recorder(Signals.combineLatest(sources))
        for (index, source) in sources.enumerated().reversed() { source.send(index) }
        sources[2].send(20)
        #expect(recorder.values == [[0, 1, 2, 3], [0, 1, 20, 3]])
    }

    @Test func nothingToCombineCompletes() {
        #expect(Recorder(Signals.combineLatest([Source]())).events == [.completed])
    }

    @Test func anInputThatEndsWithoutAValueEndsItAtOnce() {
        let (a, b) = (Source(), Source())
        let two = Recorder(a.combineLatest(b).map { $0.0 + $0.1 })
        let pack = Recorder(Signals.combineLatest(a, b).map { $0.0 + $0.1 })
        let list = Recorder(Signals.combineLatest([a, b]))
        a.send(1)
        b.complete()
        #expect(two.events == [.completed])
        #expect(pack.events == [.completed])
        #expect(list.events == [.completed])
        #expect(a.liveSubscriptions == 0)
    }

    @Test func anInputThatIsEmptyFromTheStartKeepsTheRestUnsubscribed() {
        let second = Source()
        let empty = Signals.empty(Int.self, failure: TestFailure.self)
        #expect(Recorder(empty.combineLatest(second).map { $0.0 }).events == [.completed])
        #expect(second.subscriptions == 0)
    }

    @Test func theFirstFailureEndsItAndReleasesTheRest() {
        let (a, b) = (Source(), Source())
        let two = Recorder(a.combineLatest(b).map { $0.0 })
        let pack = Recorder(Signals.combineLatest(a, b).map { $0.0 })
        a.send(1)
        b.fail("broke")
        a.fail("later")
        #expect(two.events == [.failed("broke")])
        #expect(pack.events == [.failed("broke")])
        #expect(a.liveSubscriptions == 0)
    }

    @Test func noValueIsHeardBehindAFailureThatCameBeforeIt() {
        let sources = (0..<3).map { _ in Source() }
        let pack = Recorder(Signals.combineLatest(sources[0], sources[1], sources[2]).map { [$0, $1, $2] }) { latest in
            if latest[0] == 1 {
                sources[1].fail("broke")
                sources[2].send(9)
            }
            return .more
        }
        for source in sources { source.send(0) }
        sources[0].send(1)
        #expect(pack.events == [.next([0, 0, 0]), .next([1, 0, 0]), .failed("broke")])
    }

    @Test func aSynchronousInputIsCombinedWithItsLastValueOnly() {
        let signal = Signals.from(1...3).combineLatest(Signals.from(10...12)).map { [$0.0, $0.1] }
        #expect(Recorder(signal).events == [.next([3, 10]), .next([3, 11]), .next([3, 12]), .completed])
    }

    @Test func oneEventThatReachesTwoInputsIsCombinedTwice() {
        let source = Source()
        let recorder = Recorder(source.combineLatest(source.map { $0 * 10 }).map { [$0.0, $0.1] })
        source.send(1)
        source.send(2)
        #expect(recorder.values == [[1, 10], [2, 10], [2, 20]])
    }

    @Test func lossesOfAnyInputAreHeard() {
        let subject = Subject(of: Int.self, limit: 1)
        let lost = Log<Int>()
        let sending = subject.combineLatest(Signals.just(0).concat(Signals.never())).subscribe(
            next: { pair in if pair.0 == 0 { for value in 1...4 { subject.send(value) } } },
            lost: { lost.append($0) }
        )
        defer { sending.dispose() }
        subject.send(0)
        #expect(lost.entries == [3])
    }

    @Test func twoThreadsSendAndEverythingIsHeardOrCounted() {
        let (a, b) = (Subject(of: Int.self), Subject(of: Int.self))
        let recorder = Recorder(a.combineLatest(b).scan(0) { count, _ in count + 1 })
        a.send(0)
        b.send(0)
        let threads = Threads()
        for subject in [a, b] { threads.start { for value in 1...5_000 { subject.send(value) } } }
        threads.wait()
        let told = recorder.valueCount + recorder.lost
        #expect(told == 10_001)
    }

    @Test func twoThreadsSendWhatCanPauseAndNothingIsMissed() {
        let threads = (0..<2).map { ThreadScheduler(name: "input-\($0)") }
        let inputs = threads.map { thread in Signals.just(0).concat(Signals.from(1...5_000, on: thread)) }
        let recorder = Recorder(inputs[0].combineLatest(inputs[1]).scan(0) { count, _ in count + 1 })
        recorder.waitForEnd()
        let (last, lost) = (recorder.values.last, recorder.lost)
        // Values that the first sent before the second was subscribed to had no partner.
        #expect((last ?? 0) > 5_000)
        #expect(lost == 0)
    }

    @Test func tenThousandInputsAreOneList() {
        let subjects = (0..<10_000).map { _ in Subject(of: Int.self) }
        let recorder = Recorder(Signals.combineLatest(subjects).map { $0.count })
        for subject in subjects { subject.send(1) }
        #expect(recorder.values == [10_000])
        for subject in subjects { subject.complete() }
        #expect(recorder.hasEnded)
    }

    @Test func itDescribesItself() {
        #expect("\(Signals.just(1).combineLatest(Signals.just(2)).chain)" == "[combineLatest([just], [just])]")
        #expect(
            "\(Signals.combineLatest(Signals.just(1), Signals.just("a")).chain)" == "[combineLatest([just], [just])]"
        )
    }
}
