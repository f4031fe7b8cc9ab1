import Bus
import BusTesting
import Glibc
import TestSupport
import Testing

@Suite("flatMap and its strategies")
struct FlatMapTests {
    typealias Source = ProbeSource<Int, TestFailure>

    static let strategies: [FlattenStrategy] = [.merge, .merge(maxConcurrent: 2), .concat, .latest, .first]

    private func make(_ strategy: FlattenStrategy) -> (outer: Source, inners: [Source], Recorder<Int, TestFailure>) {
        let outer = Source()
        let inners = (0..<3).map { _ in Source() }
        return (outer, inners, Recorder(outer.flatMap(strategy) { inners[$0] }))
    }

    @Test func mergeHearsAllOfThem() {
        let (outer, inners, recorder) = make(.merge)
        for index in 0..<3 { outer.send(index) }
        for index in [2, 0, 1] { inners[index].send(index) }
        outer.complete()
        for inner in inners { inner.complete() }
        #expect(recorder.events == [.next(2), .next(0), .next(1), .completed])
    }

    @Test func concatHearsOneAfterTheOther() {
        let (outer, inners, recorder) = make(.concat)
        for index in 0..<3 { outer.send(index) }
        #expect(inners.map(\.subscriptions) == [1, 0, 0])
        inners[0].send(1)
        inners[0].complete()
        inners[1].send(2)
        outer.complete()
        inners[1].complete()
        inners[2].complete()
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test func latestEndsTheOneBefore() {
        let (outer, inners, recorder) = make(.latest)
        outer.send(0)
        inners[0].send(1)
        outer.send(1)
        #expect(inners[0].liveSubscriptions == 0)
        inners[0].send(2)
        inners[1].send(3)
        outer.complete()
        #expect(!recorder.hasEnded)
        inners[1].complete()
        #expect(recorder.events == [.next(1), .next(3), .completed])
    }

    @Test func latestReleasesTheOneBeforeAndThenSubscribes() {
        let (outer, first) = (Source(), Source())
        let live = Log<Int>()
        let recorder = Recorder(
            outer.flatMapLatest { value in
                live.append(first.liveSubscriptions)
                return value == 0
                    ? first.eraseToAnySignal()
                    : Signals.just(value).promoteFailure(to: TestFailure.self).eraseToAnySignal()
            }
        )
        outer.send(0)
        outer.send(1)
        #expect(live.entries == [0, 0])
        #expect(first.liveSubscriptions == 0)
        #expect(recorder.values == [1])
    }

    @Test func latestHearsNothingBehindAFailureThatCameBeforeIt() {
        let outer = Subject(of: Int.self, failure: TestFailure.self)
        let inner = (0..<2).map { _ in ProbeSource<Int, TestFailure>() }
        let recorder = PausingRecorder(outer.flatMap(.latest) { inner[$0] }, after: 1)
        outer.send(0)
        inner[0].send(1)
        inner[0].send(2)
        inner[0].fail("broke")
        outer.send(1)
        inner[1].send(3)
        recorder.release()
        #expect(recorder.events == [.next(1), .next(2), .failed("broke")])
    }

    @Test func latestEndsWithTheSourceWhenTheInnerHasEnded() {
        let (outer, inners, recorder) = make(.latest)
        outer.send(0)
        inners[0].complete()
        #expect(!recorder.hasEnded)
        outer.complete()
        #expect(recorder.events == [.completed])
    }

    @Test func aFailureOfWhatIsNoLongerHeardIsNotHeard() {
        let held = Log<Emitter<Int, TestFailure>>()
        let outer = Source()
        let recorder = Recorder(
            outer.flatMapLatest { _ in
                Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
                    held.append(emitter)
                    return nil
                }
            }
        )
        outer.send(0)
        outer.send(1)
        held.entries[0].fail("old")
        held.entries[1].send(5)
        #expect(recorder.events == [.next(5)])
    }

    @Test func whatIsNoLongerHeardStaysUnheardThoughItGoesOn() {
        let outer = Subject(of: Int.self)
        let inners = (0..<2).map { _ in RawSource<Int, Never>() }
        let recorder = Recorder(outer.flatMapLatest { inners[$0] })
        outer.send(0)
        #expect(inners[0].send(1) == .more)
        outer.send(1)
        #expect(inners[0].send(2) == .stop)
        inners[0].sendLoss(of: 3)
        #expect(inners[1].send(4) == .more)
        outer.complete()
        inners[0].complete()
        #expect(recorder.events == [.next(1), .next(4)])
        #expect(recorder.lost == 0)
        inners[1].complete()
        #expect(recorder.hasEnded)
    }

    @Test func firstIgnoresWhatComesWhileItRuns() {
        let (outer, inners, recorder) = make(.first)
        outer.send(0)
        outer.send(1)
        inners[0].complete()
        outer.send(2)
        inners[2].send(7)
        outer.complete()
        inners[2].complete()
        #expect(inners.map(\.subscriptions) == [1, 0, 1])
        #expect(recorder.events == [.next(7), .completed])
        #expect(recorder.lost == 0)
    }

    @Test func raceIsWonByTheFirstInnerThatSpeaks() {
        let (outer, inners, recorder) = make(.race)
        outer.send(0)
        outer.send(1)
        inners[1].send(1)
        #expect(outer.liveSubscriptions == 0)
        #expect(inners[0].liveSubscriptions == 0)
        inners[1].complete()
        #expect(recorder.events == [.next(1), .completed])
    }

    @Test func aRaceWithoutContendersEndsWithItsSource() {
        let (outer, _, recorder) = make(.race)
        outer.complete()
        #expect(recorder.events == [.completed])
        let (waiting, inners, other) = make(.race)
        waiting.send(0)
        waiting.complete()
        #expect(!other.hasEnded)
        inners[0].complete()
        #expect(other.events == [.completed])
    }

    @Test(arguments: strategies)
    func aFailureEndsEverything(strategy: FlattenStrategy) {
        let (outer, inners, recorder) = make(strategy)
        outer.send(0)
        inners[0].fail("broke")
        #expect(recorder.events == [.failed("broke")])
        #expect(outer.liveSubscriptions == 0)
        let (other, others, second) = make(strategy)
        other.send(0)
        other.fail("outer")
        #expect(second.events == [.failed("outer")])
        #expect(others[0].liveSubscriptions == 0)
    }

    @Test(arguments: strategies)
    func manySynchronousSignalsNeedNoStack(strategy: FlattenStrategy) {
        let rounds = deepRounds(stress: 200_000)
        let signal = Signals.from(0..<rounds).flatMap(strategy) { Signals.just($0) }
        #expect(Recorder(signal.scan(0) { count, _ in count + 1 }.skip(first: rounds - 1)).values == [rounds])
    }

    @Test(arguments: strategies)
    func manyEmptySignalsNeedNoStack(strategy: FlattenStrategy) {
        let signal = Signals.from(0..<deepRounds(stress: 200_000)).flatMap(strategy) { _ in Signals.empty(Int.self) }
        #expect(Recorder(signal).events == [.completed])
    }

    @Test func aMillionSwitchesNeedNoStack() {
        let rounds = deepRounds()
        let signal = Signals.from(0..<rounds).flatMapLatest { Signals.just($0) }
        #expect(Recorder(signal.skip(first: rounds - 1)).events == [.next(rounds - 1), .completed])
    }

    @Test func aSignalThatEndedLeavesNothingBehind() {
        let handles = InnerHandles()
        let ended = FinishedDisposable()
        for _ in 0..<1_000 {
            let (running, over) = (handles.start(), ActionDisposable {})
            handles.started(running, over)
            let synchronous = handles.start()
            handles.ended(synchronous)
            handles.started(synchronous, ended)
            #expect(handles.count == 1)
            handles.ended(running)
            #expect(handles.count == 0)
        }
    }

    /// Counts the handles that its subscribers keep.
    private struct Counted: Signal {
        typealias Value = Int
        typealias Failure = TestFailure
        let source: Source
        let kept: Lock<Int>

        func subscribe<Downstream: Observer & ~Copyable>(
            _ observer: consuming Downstream
        ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == TestFailure {
            CountedHandle(source.subscribe(observer), kept)
        }
    }

    private final class CountedHandle: Disposable {
        private let wrapped: any Disposable
        private let kept: Lock<Int>

        init(_ wrapped: any Disposable, _ kept: Lock<Int>) {
            self.wrapped = wrapped
            self.kept = kept
            kept.withLock { $0 += 1 }
        }

        deinit {
            kept.withLock { $0 -= 1 }
        }

        func dispose() { wrapped.dispose() }

        var isDisposed: Bool { wrapped.isDisposed }
    }

    @Test(arguments: strategies)
    func aThousandSignalsThatCameAndWentHoldNothing(strategy: FlattenStrategy) {
        let outer = Source()
        let inners = (0..<1_000).map { _ in Source() }
        let kept = Lock(0)
        let recorder = Recorder(outer.flatMap(strategy) { Counted(source: inners[$0], kept: kept) })
        for index in 0..<1_000 {
            outer.send(index)
            #expect(kept.withLock { $0 } >= 1)
            inners[index].complete()
            // One may stay until the next replaces it.
            #expect(kept.withLock { $0 } <= 1)
        }
        recorder.dispose()
        #expect(kept.withLock { $0 } == 0)
    }

    @Test func innerSignalsOnOtherThreadsAreAllHeard() {
        let threads = (0..<2).map { ThreadScheduler(name: "inner-\($0)") }
        let recorder = onOwnThread {
            Recorder(
                Signals.from(0..<2_000).flatMap { value in
                    Signals.just(value).deliver(on: threads[value % 2])
                }
            )
        }
        recorder?.waitForEnd()
        let arrivedAll = areAscending(recorder?.values.sorted(), 2_000)
        #expect(arrivedAll)
    }

    @Test func switchingWhileTheInnerSendsOnAnotherThreadHearsNothingOld() {
        let outer = Subject(of: Int.self)
        let inners = (0..<2).map { _ in Subject(of: Int.self) }
        let recorder = Recorder(outer.flatMapLatest { index in inners[index].map { $0 + index * 1_000_000 } })
        outer.send(0)
        let state = Lock((sent: 0, isEnough: false))
        let started = Latch()
        let threads = Threads()
        threads.start {
            while true {
                let (sent, isEnough) = state.withLock { $0 }
                if isEnough { return }
                inners[0].send(sent)
                state.withLock { $0.sent += 1 }
                if sent == 100 { started.open() }
            }
        }
        started.wait()
        outer.send(1)
        inners[1].send(1)
        // The old signal continues meanwhile.
        let sent = state.withLock { $0.sent }
        while state.withLock({ $0.sent }) < sent + 100, !RunLimit.isOver { sched_yield() }
        state.withLock { $0.isEnough = true }
        threads.wait()
        let values = recorder.values
        let position = values.firstIndex(of: 1_000_001)
        #expect(position == values.count - 1)
        #expect(recorder.violations == [])
    }

    @Test func signalsOfSignalsFlatten() {
        let inners = [Signals.from(1...2), Signals.from(3...4)]
        #expect(Recorder(Signals.from(inners).flatten(.concat)).values == [1, 2, 3, 4])
        #expect(Recorder(Signals.from(inners).flatten()).values == [1, 2, 3, 4])
        #expect(Recorder(Signals.from(inners).switchToLatest()).events.last == .completed)
        #expect("\(Signals.from(inners).flatten(.latest).chain)" == "[sequence] flatMap(.latest)")
    }

    @Test(arguments: strategies)
    func anInnerSignalMaySendTheNextOuterValue(strategy: FlattenStrategy) {
        let last = Stress.rounds(5_000, stress: 100_000)
        let outer = Subject(of: Int.self)
        let recorder = Recorder(
            outer.flatMap(strategy) { value in
                // The value is sent while the inner signal is being subscribed to, before that has sent anything
                // itself.
                Signals.create(of: Int.self) { emitter in
                    if value < last { outer.send(value + 1) }
                    emitter.send(value)
                    emitter.complete()
                    return nil
                }
            }
        )
        outer.send(0)
        let arrivedAll = areAscending(recorder.values, last + 1)
        #expect(arrivedAll)
        #expect(recorder.lost == 0)
        #expect(recorder.violations == [])
        outer.complete()
        #expect(recorder.hasEnded)
    }

    /// Delivers when it is told to.
    private final class Held: Scheduler {
        private let work = Lock<[@Sendable () -> Void]>([])

        func schedule(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0.append(work) } }

        func run() {
            while let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
        }

        var isCurrent: Bool { false }
        var description: String { "held" }
    }

    @Test("A source that cannot pause fills a bounded queue, in order, and hears of the rest where it is missing")
    func aFloodIsBounded() {
        for strategy in [FlattenStrategy.merge, .concat, .merge(maxConcurrent: 2)] {
            let (subject, held) = (Subject(of: Int.self), Held())
            let recorder = Recorder(
                subject.flatMap(strategy, limit: 16) { Signals.just($0) }.deliver(on: held, limit: 4)
            )
            for value in 0..<20_000 { subject.send(value) }
            subject.send(20_000)
            held.run()
            subject.complete()
            held.run()
            // 4 in the queue of the hop, 16 behind it, and none more.
            let values = recorder.values
            #expect(values == Array(0..<values.count))
            #expect((16...22).contains(values.count), "\(strategy)")
            #expect(recorder.lost == 20_001 - values.count, "\(strategy)")
            #expect(recorder.events.last == .completed)
        }
    }

    @Test("What is lost is told of where it is missing")
    func lossesKeepTheirPlace() {
        let (subject, held) = (Subject(of: Int.self), Held())
        let heard = Log<String>()
        let subscription = subject.flatMap(limit: 2) { Signals.just($0) }.deliver(on: held, limit: 1)
            .subscribe(next: { heard.append("\($0)") }, lost: { heard.append("\($0) lost") })
        for value in 0..<6 { subject.send(value) }
        held.run()
        subject.send(6)
        held.run()
        #expect(heard.entries == ["0", "1", "2", "3 lost", "6"])
        subscription.dispose()
    }

    @Test("A source that can pause loses nothing behind a slow observer")
    func aPausingSourceLosesNothing() {
        let held = Held()
        let recorder = Recorder(Signals.from(0..<10_000).flatMap { Signals.just($0) }.deliver(on: held, limit: 4))
        held.run()
        #expect(recorder.values == Array(0..<10_000))
        #expect(recorder.lost == 0)
    }
}
