import Bus
import BusTesting
import Testing
import Timers

@Suite("delay and rateLimit without room")
struct PausingLineTests {
    let time = TestScheduler()

    @Test("a full queue pauses a source, which resumes when half is delivered, and nothing is lost")
    func pausesItsSource() {
        let sent = Collected<Int>()
        let recorder = time.record(numbers(10, sent).delay(.seconds(1), limit: 4, on: time))
        #expect(sent.all == [1, 2, 3, 4])
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1, 2, 3, 4])
        // Called back when two were delivered, and when two of the next had room.
        #expect(sent.all.count == 8)
        time.run()
        #expect(recorder.values.elementsEqual(1...10))
        #expect(recorder.hasEnded)
        #expect(recorder.lost == 0)
        #expect(recorder.violations == [])
    }

    @Test("it is called back once, when half of the queue is delivered, and not before")
    func callsBackOnce() {
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = time.record(source.delay(.seconds(4), limit: 4, on: time))
        for value in 1...3 {
            source.send(value)
            #expect(source.lastAnswer == .more)
            time.advance(by: .seconds(1))
        }
        source.send(4)
        #expect(source.lastAnswer == .pause)
        let calls = Collected<Int>()
        #expect(source.whenReady { calls.add(recorder.valueCount) } == .pause)
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1])
        #expect(calls.all == [])
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1, 2])
        #expect(calls.all == [2])
        #expect(source.demand == .more)
        time.run()
        #expect(calls.all == [2])
        #expect(recorder.values == [1, 2, 3, 4])
    }

    @Test("a limit of one pauses, too", arguments: [Int.min, -1, 0, 1])
    func shortest(limit: Int) {
        let recorder = time.record(numbers(5).delay(.seconds(1), limit: limit, on: time))
        time.run()
        #expect(recorder.values.elementsEqual(1...5))
        #expect(recorder.lost == 0)
    }

    @Test("values sent during a pause are lost in their place, and counted")
    func losesWhatIsTooMuch() {
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let heard = Collected<String>()
        _ = source.delay(.seconds(1), limit: 2, on: time)
            .subscribe(
                next: { heard.add("\($0)") },
                failed: { _ in },
                completed: { heard.add("|") },
                lost: { heard.add("lost \($0)") }
            )
        for value in 1...5 { source.send(value) }
        #expect(source.lastAnswer == .pause)
        time.advance(by: .seconds(1))
        source.send(6)
        source.complete()
        time.run()
        #expect(heard.all == ["1", "2", "lost 3", "6", "|"])
    }

    @Test("during a pause nothing is delivered and nothing wakes; overdue values arrive when there is room")
    func observerPauses() {
        let recorder = PausingRecorder(numbers(5).delay(.seconds(1), on: time), after: 2, on: time)
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1, 2])
        #expect(time.pendingCount == 0)
        time.advance(by: .seconds(9))
        recorder.release(1)
        // On the scheduler, as always.
        #expect(recorder.values == [1, 2])
        time.advance()
        #expect(recorder.values == [1, 2, 3])
        recorder.release()
        time.advance()
        #expect(recorder.values == [1, 2, 3, 4, 5])
        #expect(recorder.hasEnded)
        #expect(recorder.overrun == 0)
        #expect(recorder.timeline.last?.time == TimerInstant(nanoseconds: 10_000_000_000))
    }

    @Test("a paused observer fills the queue, which pauses the source; both resume, and nothing is lost")
    func bothPause() {
        let sent = Collected<Int>()
        let recorder = PausingRecorder(numbers(100, sent).delay(.seconds(1), limit: 8, on: time), after: 3)
        time.advance(by: .seconds(10))
        #expect(recorder.values == [1, 2, 3])
        let whenPaused = sent.all.count
        #expect(whenPaused <= 3 + 8)
        time.advance(by: .seconds(10))
        #expect(sent.all.count == whenPaused)
        while !recorder.hasEnded {
            recorder.release(1)
            time.advance(by: .seconds(1))
        }
        #expect(recorder.values.elementsEqual(1...100))
        #expect(recorder.overrun == 0)
        #expect(recorder.lost == 0)
    }

    @Test("a failure that does not wait is heard even without room")
    func failsAtOnce() {
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = PausingRecorder(source.delay(.seconds(1), on: time), after: 1)
        source.send(1)
        source.send(2)
        time.advance(by: .seconds(1))
        source.fail("end")
        #expect(recorder.events == [.next(1), .failed("end")])
        #expect(time.pendingCount == 0)
    }

    @Test("failing on overflow says how many values found no room until it was heard")
    func failsWithTheNumber() {
        // It continues when it is told to stop, like a source that sends on several threads.
        struct Stubborn: Signal {
            typealias Value = Int
            typealias Failure = TestFailure
            var chain: Chain { Chain(source: "stubborn") }

            func subscribe<Downstream: Observer & ~Copyable>(
                _ observer: consuming Downstream
            ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == TestFailure {
                var observer = observer
                for value in 1...6 { _ = observer.next(value) }
                observer.terminate(.completed)
                return ActionDisposable {}
            }
        }
        let overflow = Overflow<TestFailure>.fail { TestFailure(stringLiteral: "\($0) lost") }
        let recorder = PausingRecorder(Stubborn().delay(.seconds(1), limit: 2, overflow: overflow, on: time), after: 1)
        time.advance(by: .seconds(1))
        #expect(recorder.events == [.next(1)])
        recorder.release()
        time.advance()
        #expect(recorder.events == [.next(1), .next(2), .failed("4 lost")])
    }

    @Test("a rate limit lets nothing pass without room, and its bucket fills")
    func rateLimit() {
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = PausingRecorder(
            source.rateLimit(1, per: .seconds(1), burst: 3, limit: 4, on: time),
            after: 1,
            on: time
        )
        source.send(1)
        #expect(recorder.values == [1])
        #expect(source.lastAnswer == .more)
        for value in 2...5 { source.send(value) }
        #expect(source.lastAnswer == .pause)
        time.advance(by: .seconds(10))
        #expect(recorder.values == [1])
        #expect(time.pendingCount == 0)
        recorder.release()
        time.advance()
        #expect(recorder.values == [1, 2, 3, 4])
        #expect(source.demand == .more)
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1, 2, 3, 4, 5])
        #expect(recorder.overrun == 0)
    }

    @Test("a rate limit that polices passes pauses on; values that come all the same are lost and counted")
    func policing() {
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = PausingRecorder(
            source.rateLimit(10, per: .seconds(1), limit: 0, overflow: .dropNewest, on: time),
            after: 1
        )
        for value in 1...4 { source.send(value) }
        #expect(source.demand == .pause)
        time.advance()
        #expect(recorder.values == [1])
        #expect(recorder.lost == 3)
        recorder.release()
        #expect(source.demand == .more)
        source.send(5)
        #expect(recorder.values == [1, 5])
    }

    @Test("when disposed of while both pause, everything is freed")
    func freed() {
        let (recorder, isAlive) = holding { held in
            PausingRecorder(
                held.by(held.by(Signals.from(1...9)).delay(.seconds(1), limit: 2, on: time)),
                after: 1
            )
        }
        time.advance(by: .seconds(1))
        #expect(recorder.isAwaited)
        #expect(isAlive())
        recorder.dispose()
        #expect(!isAlive())
        #expect(time.pendingCount == 0)
    }

    private func numbers(_ count: Int, _ sent: Collected<Int> = Collected()) -> AnySignal<Int, Never> {
        AnySignal(
            Signals.from(1...count).map { value in
                sent.add(value)
                return value
            }
        )
    }
}
