import Bus
import BusTesting
import Testing

@Suite("Operators that send at the end")
struct ReducingTests {
    @Test func collectLosesTheNewestAndSaysSoInItsPlace() {
        let losses = Log<Int>()
        let recorder = Recorder(Signals.from(1...5).collect(limit: 3), onLoss: { losses.append($0) })
        #expect(recorder.events == [.next([1, 2, 3]), .completed])
        #expect(losses.entries == [1, 1])
    }

    @Test func collectMayLoseTheOldest() {
        let recorder = Recorder(Signals.from(1...5).collect(limit: 3, overflow: .dropOldest))
        #expect(recorder.events == [.next([3, 4, 5]), .completed])
        #expect(recorder.lost == 2)
    }

    @Test func collectMayFailWhenItIsFull() {
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(source.collect(limit: 2, overflow: .fail { lost in lost == 1 ? "full" : "wrong" }))
        source.send(1)
        source.send(2)
        #expect(!recorder.hasEnded)
        source.send(3)
        #expect(recorder.events == [.failed("full")])
        #expect(source.liveSubscriptions == 0)
    }

    /// A collected list never gets room again, so pausing the source would be for good.
    @Test func collectDoesNotPauseItsSource() {
        let recorder = Recorder(Signals.from(1...3).collect(limit: 2, overflow: .pause))
        #expect(recorder.events == [.next([1, 2]), .completed])
        #expect(recorder.lost == 1)
    }

    @Test func collectHoldsAtLeastOne() {
        #expect(Recorder(Signals.from(1...3).collect(limit: 0)).values == [[1]])
        #expect(Recorder(Signals.from(1...2).collect(count: 0)).values == [[1], [2]])
    }

    @Test func collectByCountSendsAFullLastGroupOnce() {
        #expect(Recorder(Signals.from(1...4).collect(count: 2)).events == [.next([1, 2]), .next([3, 4]), .completed])
    }

    @Test func ofEqualsTheFirstIsTheSmallestAndTheGreatest() {
        let words = Signals.from(["bb", "a", "c", "dd"])
        #expect(Recorder(words.min { $0.count < $1.count }).values == ["a"])
        #expect(Recorder(words.max { $0.count < $1.count }).values == ["bb"])
    }

    @Test func containsAndAllSatisfyReleaseTheirSourceOnceDecided() {
        let source = ProbeSource<Int, TestFailure>()
        let contains = Recorder(source.contains(2))
        let allSatisfy = Recorder(source.allSatisfy { $0 < 2 })
        source.send(1)
        #expect(source.liveSubscriptions == 2)
        source.send(2)
        #expect(source.liveSubscriptions == 0)
        #expect(contains.events == [.next(true), .completed])
        #expect(allSatisfy.events == [.next(false), .completed])
    }

    @Test func anUndecidedQuestionFailsWithItsSource() {
        let failing = Signals.fail("broken" as TestFailure, of: Int.self)
        #expect(Recorder(failing.contains(1)).events == [.failed("broken")])
        #expect(Recorder(failing.allSatisfy { $0 > 0 }).events == [.failed("broken")])
    }

    @Test func aSecondValueEndsSingleAtOnce() {
        let source = ProbeSource<Int, TestFailure>()
        let lenient = Recorder(source.single())
        let strict = Recorder(source.single(orFail: { $0 == .severalValues ? "several" : "none" }))
        source.send(1)
        source.send(2)
        #expect(source.liveSubscriptions == 0)
        #expect(lenient.events == [.completed])
        #expect(strict.events == [.failed("several")])
    }

    @Test func theMismatchOfASingleValueIsSaidInWords() {
        #expect(SingleError.noValue.description.contains("without any"))
        #expect(SingleError.severalValues.description.contains("second"))
    }

    @Test(arguments: [0, -3])
    func takeOfNoLastValueHearsTheEndAndTheFailure(count: Int) {
        let source = ProbeSource<Int, TestFailure>()
        let failed = Recorder(source.take(last: count))
        source.send(1)
        #expect(failed.events == [])
        source.fail("broken")
        #expect(failed.events == [.failed("broken")])
        #expect(Recorder(Signals.from(1...3).take(last: count)).events == [.completed])
    }

    @Test func disposalBetweenTheLastValuesDropsTheRest() {
        let source = ProbeSource<Int, TestFailure>()
        let subscription = SerialDisposable()
        let heard = Log<String>()
        subscription.set(
            source.take(last: 10).subscribe(
                next: { value in
                    heard.append("\(value)")
                    if value == 3 { subscription.dispose() }
                },
                failed: { _ in },
                completed: { heard.append("|") }
            )
        )
        for value in 1...8 { source.send(value) }
        source.complete()
        #expect(heard.entries == ["1", "2", "3"])
    }

    @Test func disposalByAnotherThreadBetweenTheLastValuesLetsOneEventThroughAtMost() {
        let count = 10_000
        let source = ProbeSource<Int, TestFailure>()
        let reached = Latch()
        let disposed = Latch()
        let recorder = Recorder(
            source.take(last: count),
            onNext: { value in
                if value == 100 {
                    reached.open()
                    disposed.wait()
                }
                return .more
            }
        )
        for value in 1...count { source.send(value) }
        let threads = Threads()
        threads.start { source.complete() }
        threads.start {
            reached.wait()
            recorder.dispose()
            disposed.open()
        }
        threads.wait()
        #expect(recorder.values.count == 100)
        #expect(!recorder.hasEnded)
        #expect(recorder.eventsAfterDisposal == 0)
    }

    @Test func whatIsKeptForTheEndIsFreedByDisposal() {
        final class Canary: Sendable {}
        let source = Subject(of: Canary.self)
        let handle = source.take(last: 5).merge(source.collect().map { $0[0] }).subscribe()
        weak var kept: Canary?
        do {
            let canary = Canary()
            kept = canary
            source.send(canary)
        }
        #expect(kept != nil)
        handle.dispose()
        #expect(kept == nil)
    }
}
