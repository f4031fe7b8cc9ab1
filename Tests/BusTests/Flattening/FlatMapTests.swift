import Bus
import BusTesting
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
        held.entries[0].failed("old")
        held.entries[1].next(5)
        #expect(recorder.events == [.next(5)])
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
    func aMillionSynchronousSignalsNeedNoStack(strategy: FlattenStrategy) {
        let signal = Signals.from(0..<1_000_000).flatMap(strategy) { Signals.just($0) }
        #expect(Recorder(signal.scan(0) { count, _ in count + 1 }).values.last == 1_000_000)
    }

    @Test(arguments: strategies)
    func aMillionEmptySignalsNeedNoStack(strategy: FlattenStrategy) {
        let signal = Signals.from(0..<1_000_000).flatMap(strategy) { _ in Signals.empty(Int.self) }
        #expect(Recorder(signal).events == [.completed])
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

    @Test func handlesThatCameLateAreDisposedOf() {
        let handles = InnerHandles()
        let log = Log<Int>()
        let first = handles.start()
        handles.started(first, ActionDisposable { log.append(1) })
        let second = handles.start()
        handles.dispose()
        handles.started(second, ActionDisposable { log.append(2) })
        #expect(log.entries == [1, 2])
    }

    @Test func aThousandSignalsThatCameAndWentHoldNothing() {
        let outer = Subject(of: Int.self)
        let inners = (0..<1_000).map { _ in Source() }
        let recorder = Recorder(outer.mapFailure().flatMap { inners[$0] })
        for index in 0..<1_000 {
            outer.send(index)
            inners[index].complete()
        }
        #expect(inners.allSatisfy { $0.liveSubscriptions == 0 })
        recorder.dispose()
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
        let started = Latch()
        let threads = Threads()
        threads.start {
            for value in 0..<20_000 {
                inners[0].send(value)
                if value == 100 { started.open() }
            }
        }
        started.wait()
        outer.send(1)
        inners[1].send(1)
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

    @Test func anInnerSignalMaySendTheNextOuterValue() {
        let outer = Subject(of: Int.self)
        let recorder = Recorder(outer.flatMap { Signals.just($0) })
        let echo = outer.subscribe(next: { if $0 < 100_000 { outer.send($0 + 1) } })
        outer.send(0)
        #expect(recorder.values.count == 100_001)
        echo.dispose()
    }
}

extension Signal where Failure == Never {
    fileprivate func mapFailure() -> some Signal<Value, TestFailure> {
        mapError { _ in TestFailure("never") }
    }
}
