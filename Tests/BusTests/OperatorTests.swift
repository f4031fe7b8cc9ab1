import Bus
import BusTesting
import Testing

@Suite("Operators")
struct OperatorTests {
    @Test func statelessAndStatefulOperatorsCompose() {
        let signal = Signals.from(1...10)
            .map { $0 * 3 }
            .filter { $0 % 2 == 0 }
            .compactMap { $0 > 6 ? $0 : nil }
            .scan(0) { $0 + $1 }
            .skip(first: 1)
        #expect(Recorder(signal).events == [.next(30), .next(54), .next(84), .completed])
    }

    @Test func aKeyPathIsATransform() {
        #expect(Recorder(Signals.from(["a", "bcd"]).map(\.count)).values == [1, 3])
    }

    @Test func everySubscriptionStartsAnew() {
        let signal = Signals.from(1...3).scan(0) { $0 + $1 }.skip(first: 1).take(first: 1)
        #expect(Recorder(signal).values == [3])
        #expect(Recorder(signal).values == [3])
    }

    @Test func takeEndsAnInfiniteSequence() {
        let signal = Signals.from(sequence(first: 1) { $0 &+ 1 }).filter { $0 % 2 == 0 }.take(first: 3)
        #expect(Recorder(signal).events == [.next(2), .next(4), .next(6), .completed])
    }

    @Test func takeOfNothingNeverSubscribes() {
        let source = ProbeSource<Int, Never>()
        #expect(Recorder(source.take(first: 0)).events == [.completed])
        #expect(Recorder(source.take(first: -1)).events == [.completed])
        #expect(source.subscriptions == 0)
    }

    @Test func takeCompletesWithItsLastValueAndNotLater() {
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(source.take(first: 2))
        source.send(1)
        source.send(2)
        #expect(recorder.events == [.next(1), .next(2), .completed])
        #expect(source.liveSubscriptions == 0)
    }

    @Test func takeUntilStopsASourceThatIsStillBeingSubscribedTo() {
        let trigger = Subject(of: Void.self)
        let signal = Signals.from(sequence(first: 1) { $0 &+ 1 })
            .filter { value in
                if value == 5 { trigger.send(()) }
                return value < 5
            }
            .take(until: trigger)
        #expect(Recorder(signal).events == [.next(1), .next(2), .next(3), .next(4), .completed])
    }

    @Test func takeUntilCompletesOnTheTriggersCompletion() {
        let source = ProbeSource<Int, TestFailure>()
        let trigger = ProbeSource<Int, Never>()
        let recorder = Recorder(source.take(until: trigger))
        source.send(1)
        trigger.complete()
        source.send(2)
        #expect(recorder.events == [.next(1), .completed])
        #expect(source.liveSubscriptions == 0)
    }

    @Test func aTriggerThatFiresAtOnceKeepsTheSourceUnsubscribed() {
        let source = ProbeSource<Int, TestFailure>()
        #expect(Recorder(source.take(until: Signals.just(1))).events == [.completed])
        #expect(source.subscriptions == 0)
    }

    @Test func aSubjectThatIsItsOwnTriggerSendsNothing() {
        let subject = Subject(of: Int.self)
        let recorder = Recorder(subject.take(until: subject))
        subject.send(1)
        #expect(recorder.events == [.completed])
    }

    @Test func mergeInterleavesAndCompletesWithTheLast() {
        let (a, b) = (ProbeSource<Int, TestFailure>(), ProbeSource<Int, TestFailure>())
        let recorder = Recorder(Signals.merge(a, b))
        a.send(1)
        b.send(2)
        a.complete()
        b.send(3)
        b.complete()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }

    @Test func mergeFailsWithTheFirstFailureAndReleasesTheRest() {
        let (a, b) = (ProbeSource<Int, TestFailure>(), ProbeSource<Int, TestFailure>())
        let recorder = Recorder(a.merge(b))
        a.fail("a broke")
        b.send(1)
        #expect(recorder.events == [.failed("a broke")])
        #expect(b.liveSubscriptions == 0)
    }

    @Test("after a stop a failure of another input is no longer heard")
    func aFailureAfterStopIsACompletion() {
        let source = ProbeSource<Int, TestFailure>()
        let failing = source.attemptMap { value throws(TestFailure) -> Int in
            throw TestFailure(stringLiteral: "\(value) is too much")
        }
        // Both inputs hear the value. The first fails once the source has released it; the second makes the observer
        // stop.
        let recorder = Recorder(Signals.merge(failing.eraseToAnySignal(), source.eraseToAnySignal())) { _ in .stop }
        source.send(1)
        #expect(recorder.events == [.next(1), .completed])
        #expect(source.liveSubscriptions == 0)
    }

    @Test func mergeOfNothingCompletes() {
        #expect(Recorder(Signals.merge([AnySignal<Int, Never>]())).events == [.completed])
    }

    @Test func mergeStopsSubscribingOnceEnoughCame() {
        let second = ProbeSource<Int, Never>()
        let recorder = Recorder(Signals.merge(Signals.from(1...3), second).take(first: 2))
        #expect(recorder.events == [.next(1), .next(2), .completed])
        #expect(second.subscriptions == 0)
    }

    @Test func concatSubscribesInTurn() {
        let (a, b) = (ProbeSource<Int, TestFailure>(), ProbeSource<Int, TestFailure>())
        let recorder = Recorder(a.concat(b))
        a.send(1)
        #expect(b.subscriptions == 0)
        b.send(99)
        a.complete()
        b.send(2)
        b.complete()
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test func concatSkipsWhatFollowsAFailure() {
        let second = ProbeSource<Int, TestFailure>()
        let first = Signals.fail(TestFailure("first"), of: Int.self)
        #expect(Recorder(first.concat(second)).events == [.failed("first")])
        #expect(second.subscriptions == 0)
    }

    @Test func flatMapStartsAtMostSoManyAtOnce() {
        let outer = ProbeSource<Int, TestFailure>()
        let inners = (0..<4).map { _ in ProbeSource<Int, TestFailure>() }
        let recorder = Recorder(outer.flatMap(.merge(maxConcurrent: 2)) { inners[$0] })
        for index in 0..<4 { outer.send(index) }
        #expect(inners.map(\.subscriptions) == [1, 1, 0, 0])
        inners[1].send(10)
        inners[1].complete()
        #expect(inners.map(\.subscriptions) == [1, 1, 1, 0])
        outer.complete()
        inners[0].complete()
        inners[2].complete()
        #expect(!recorder.hasEnded)
        inners[3].send(30)
        inners[3].complete()
        #expect(recorder.events == [.next(10), .next(30), .completed])
    }

    @Test func flatMapCountsNothingLostWhileTheOuterMayWait() {
        let thread = ThreadScheduler(name: "inner")
        let recorder = onOwnThread {
            Recorder(
                Signals.from(0..<5_000).flatMap(.concat, limit: 4) { Signals.just($0).deliver(on: thread) }
            )
        }
        recorder?.waitForEnd()
        let arrivedAll = areAscending(recorder?.values, 5_000)
        #expect(arrivedAll)
        #expect(recorder?.lost == 0)
    }

    @Test func aMillionSynchronousSignalsRunInConstantStack() {
        let million = deepRounds()
        let concat = Recorder(Signals.concat((0..<million).lazy.map { Signals.just($0) }).scan(0) { sum, _ in sum + 1 })
        #expect(concat.values.last == million)
        let flatMap = Recorder(Signals.from(0..<million).flatMap { Signals.just($0) }.scan(0) { sum, _ in sum + 1 })
        #expect(flatMap.values.last == million)
        let oneByOne = Signals.from(0..<million).flatMap(.concat) { Signals.just($0) }
        #expect(Recorder(oneByOne.scan(0) { sum, _ in sum + 1 }).values.last == million)
    }

    @Test func aMillionSignalsThatFollowOneAnotherRunInConstantStack() {
        let million = deepRounds()
        let some = deepRounds(stress: 200_000)
        let pair = Signals.just(1).then(Signals.just(2))
        #expect(Recorder(pair.repeat(some).count()).values == [some])
        let inner = Signals.from(0..<million).flatMap(.concat) { Signals.just($0).then(Signals.just(-$0)) }
        #expect(Recorder(inner.count()).values == [million])
        #expect(Recorder(Signals.from(0..<million).then(Signals.just(1))).values == [1])
        let races = Signals.from(0..<some).flatMap(.race) { _ in Signals.empty(Int.self) }
        #expect(Recorder(races).events == [.completed])
    }

    @Test func aQueueOfWaitingSynchronousSignalsRunsInConstantStack() {
        let rounds = deepRounds(stress: 200_000)
        let gate = ProbeSource<Int, Never>()
        let outer = Subject(of: Int.self)
        let signal = outer.flatMap(.concat, limit: rounds) { value in
            value == 0 ? gate.eraseToAnySignal() : Signals.just(value).eraseToAnySignal()
        }
        let recorder = Recorder(signal.scan(0) { count, _ in count + 1 })
        for value in 0..<rounds { outer.send(value) }
        #expect(recorder.values == [])
        gate.complete()
        #expect(recorder.values.last == rounds - 1)
    }
}
