import Bus
import BusTesting
import Testing
import Timers

@Suite("withLatest, sample, triggers, conditions")
struct SamplingAndTriggerTests {
    typealias Source = ProbeSource<Int, TestFailure>

    @Test func withLatestSendsWithTheSourceOnly() {
        let (source, other) = (Source(), ProbeSource<String, Never>())
        let recorder = Recorder(source.withLatest(from: other).map { "\($0.0)\($0.1)" })
        source.send(1)
        other.send("a")
        source.send(2)
        other.send("b")
        other.complete()
        source.send(3)
        #expect(recorder.values == ["2a", "3b"])
        #expect(!recorder.hasEnded)
        source.complete()
        #expect(recorder.events.last == .completed)
    }

    @Test func withLatestSeesOneStateOfADiamond() {
        let source = Subject(of: Int.self)
        let recorder = Recorder(source.withLatest(from: source.map { $0 * 10 }).map { [$0.0, $0.1] })
        source.send(1)
        source.send(2)
        #expect(recorder.values == [[1, 10], [2, 20]])
    }

    @Test func updatesThatWaitTakeTheRoomOfOne() {
        let (source, other, trigger) = (Subject(of: Int.self), Subject(of: Int.self), Subject(of: Void.self))
        let latest = PausingRecorder(source.withLatest(from: other).map { [$0.0, $0.1] }, after: 1)
        let samples = PausingRecorder(other.sample(when: trigger), after: 1)
        other.send(0)
        source.send(0)
        trigger.send(())
        for update in 1...2000 { other.send(update) }
        for value in 1...3000 {
            source.send(value)
            trigger.send(())
            other.send(2000 + value)
        }
        latest.release()
        samples.release()
        #expect(latest.values == [[0, 0]] + (1...1024).map { [$0, 1999 + $0] })
        #expect(samples.values == [0] + (1...1024).map { 1999 + $0 })
        #expect([latest.lost, samples.lost] == [1976, 1976])
        source.send(-1)
        trigger.send(())
        #expect(latest.values.last == [-1, 5000])
        #expect(samples.values.last == 5000)
    }

    @Test func takeUntilHearsWhatCameBeforeTheTrigger() {
        let (source, trigger) = (Source(), Subject(of: Void.self))
        let recorder = PausingRecorder(source.take(until: trigger), after: 1)
        for value in 1...3 { source.send(value) }
        trigger.send(())
        source.send(4)
        #expect(recorder.events == [.next(1)])
        recorder.release()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
        #expect(source.liveSubscriptions == 0)
    }

    @Test func aTimerEndsASourceThatIsAlwaysPaused() {
        let (time, source) = (TestScheduler(), Signals.from(1...Int.max))
        let recorder = PausingRecorder(source.take(until: Signals.timer(after: .seconds(1), on: time)), after: 1)
        recorder.release(1)
        time.advance(by: .seconds(2))
        for _ in 1...3 { recorder.release(1) }
        #expect(recorder.events == [.next(1), .next(2), .completed])
        recorder.dispose()
    }

    @Test func anIntervalThatIsOnlyRememberedGoesOnWhileTheObserverPauses() {
        let (time, source) = (TestScheduler(), Subject(of: Int.self))
        let ticks = Signals.interval(every: .seconds(1), on: time).map(\.index)
        let latest = PausingRecorder(source.withLatest(from: ticks).map { [$0.0, $0.1] }, after: 1)
        let samples = PausingRecorder(ticks.sample(when: source), after: 1)
        time.advance(by: .seconds(1))
        source.send(1)
        time.advance(by: .seconds(3))
        latest.release()
        samples.release()
        source.send(2)
        #expect(latest.values == [[1, 0], [2, 3]])
        #expect(samples.values == [0, 3])
        latest.dispose()
        samples.dispose()
    }

    @Test func aFailureAfterTheTriggerIsACompletion() {
        let (source, trigger) = (Source(), Subject(of: Void.self))
        let recorder = Recorder(source.take(until: trigger))
        // The trigger's end, which follows its value here, comes after the other subscriber of the value.
        let failing = trigger.subscribe(next: { source.fail("late") })
        defer { failing.dispose() }
        trigger.send(())
        #expect(recorder.events == [.completed])
    }

    @Test func withLatestEndsWithTheSourceAndReleasesTheOther() {
        let (source, other) = (Source(), ProbeSource<Int, Never>())
        let recorder = Recorder(source.withLatest(from: other).map { $0.0 })
        source.fail("broke")
        #expect(recorder.events == [.failed("broke")])
        #expect(other.liveSubscriptions == 0)
    }

    @Test func sampleRepeatsWhatIsNotNew() {
        let (source, trigger) = (Source(), ProbeSource<Void, Never>())
        let recorder = Recorder(source.sample(when: trigger))
        trigger.send(())
        source.send(1)
        source.send(2)
        trigger.send(())
        trigger.send(())
        source.send(3)
        trigger.send(())
        #expect(recorder.values == [2, 2, 3])
    }

    @Test func sampleEndsWithEither() {
        let (source, trigger) = (Source(), ProbeSource<Void, Never>())
        let bySource = Recorder(source.sample(when: trigger))
        source.send(1)
        source.complete()
        #expect(bySource.events == [.completed])
        #expect(trigger.liveSubscriptions == 0)
        let other = Source()
        let byTrigger = Recorder(other.sample(when: trigger))
        trigger.complete()
        #expect(byTrigger.events == [.completed])
        #expect(other.liveSubscriptions == 0)
    }

    @Test func theReplacementTakesOver() {
        let (source, replacement) = (Source(), Source())
        let recorder = Recorder(source.take(untilReplacement: replacement))
        source.send(1)
        replacement.send(10)
        #expect(source.liveSubscriptions == 0)
        source.send(2)
        replacement.send(11)
        replacement.complete()
        #expect(recorder.events == [.next(1), .next(10), .next(11), .completed])
    }

    @Test func theCompletionOfWhatIsReplacedIsNotHeard() {
        let (source, replacement) = (Source(), Source())
        let recorder = Recorder(source.take(untilReplacement: replacement))
        source.complete()
        #expect(!recorder.hasEnded)
        replacement.send(1)
        replacement.fail("broke")
        #expect(recorder.events == [.next(1), .failed("broke")])
    }

    @Test func theFailureOfWhatIsReplacedIsHeard() {
        let (source, replacement) = (Source(), Source())
        let recorder = Recorder(source.take(untilReplacement: replacement))
        source.fail("broke")
        #expect(recorder.events == [.failed("broke")])
        #expect(replacement.liveSubscriptions == 0)
    }

    @Test func aReplacementThatCompletesIsTheEnd() {
        let (source, replacement) = (Source(), Source())
        let recorder = Recorder(source.take(untilReplacement: replacement))
        replacement.complete()
        #expect(recorder.events == [.completed])
        #expect(source.liveSubscriptions == 0)
    }

    @Test func aReplacementThatIsThereKeepsTheSourceUnsubscribed() {
        let source = Source()
        let replaced = source.take(untilReplacement: Signals.just(1, failure: TestFailure.self))
        #expect(Recorder(replaced).events == [.next(1), .completed])
        #expect(source.subscriptions == 0)
    }

    @Test(arguments: [true, false])
    func skipEndsWithTheTriggersValueOrCompletion(byValue: Bool) {
        let (source, trigger) = (Source(), ProbeSource<Void, Never>())
        let recorder = Recorder(source.skip(until: trigger))
        source.send(1)
        if byValue { trigger.send(()) } else { trigger.complete() }
        #expect(trigger.liveSubscriptions == 0)
        source.send(2)
        source.complete()
        #expect(recorder.events == [.next(2), .completed])
    }

    @Test func aSourceThatEndsWhileSkippedReleasesTheTrigger() {
        let (source, trigger) = (Source(), ProbeSource<Void, Never>())
        let recorder = Recorder(source.skip(until: trigger))
        source.complete()
        #expect(recorder.events == [.completed])
        #expect(trigger.liveSubscriptions == 0)
    }

    @Test func booleansFollowTheLatestOfBoth() {
        let (a, b) = (Subject(of: Bool.self), Subject(of: Bool.self))
        let (both, either, neither) = (Recorder(a.and(b)), Recorder(a.or(b)), Recorder(a.or(b).not()))
        a.send(true)
        b.send(false)
        b.send(true)
        #expect(both.values == [false, true])
        #expect(either.values == [true, true])
        #expect(neither.values == [false, false])
    }

    @Test func ifFollowsItsCondition() {
        let condition = ProbeSource<Bool, TestFailure>()
        let (yes, no) = (Source(), Source())
        let recorder = Recorder(Signals.if(condition, then: yes, else: no.map { -$0 }))
        yes.send(0)
        condition.send(true)
        yes.send(1)
        no.send(2)
        condition.send(false)
        #expect(yes.liveSubscriptions == 0)
        no.send(3)
        condition.complete()
        #expect(!recorder.hasEnded)
        no.complete()
        #expect(recorder.events == [.next(1), .next(-3), .completed])
    }

    @Test func switchFollowsItsKeys() {
        let keys = ProbeSource<String, TestFailure>()
        let (a, fallback) = (Source(), Source())
        let recorder = Recorder(Signals.switch(on: keys, cases: ["a": a], default: fallback))
        keys.send("a")
        a.send(1)
        keys.send("z")
        a.send(2)
        fallback.send(3)
        keys.fail("broke")
        #expect(recorder.events == [.next(1), .next(3), .failed("broke")])
        #expect(fallback.liveSubscriptions == 0)
    }
}
