import Bus
import BusTesting
import Testing
import Timers

@Suite("timeout, watchdog, retry and others without room")
struct PausingWaitTests {
    let time = TestScheduler()
    let source = ProbeSource(of: Int.self, failure: TestFailure.self)

    @Test("a timeout does not run while a source is paused, and restarts when the source may resume")
    func timeout() {
        let recorder = PausingRecorder(source.timeout(.seconds(5), failing: "silent", on: time), after: 1)
        time.advance(by: .seconds(4))
        source.send(1)
        #expect(source.lastAnswer == .pause)
        time.advance(by: .seconds(100))
        #expect(recorder.events == [.next(1)])
        #expect(time.pendingCount == 0)
        recorder.release(1)
        time.advance(by: .seconds(4))
        source.send(2)
        time.advance(by: .seconds(100))
        recorder.release()
        time.advance(by: .seconds(4))
        #expect(recorder.events == [.next(1), .next(2)])
        time.advance(by: .seconds(1))
        #expect(recorder.events == [.next(1), .next(2), .failed("silent")])
        #expect(source.liveSubscriptions == 0)
    }

    @Test("it does not run either for a source that continues and then falls silent without room")
    func timeoutOfStubborn() {
        let recorder = PausingRecorder(source.timeout(.seconds(5), failing: "silent", on: time), after: 1)
        for value in 1...3 { source.send(value) }
        time.advance(by: .seconds(100))
        #expect(recorder.events == [.next(1)])
        recorder.release()
        #expect(recorder.values == [1, 2, 3])
        time.advance(by: .seconds(5))
        #expect(recorder.events.last == .failed("silent"))
    }

    @Test("nor for the first value of a source that starts paused", arguments: [TimeoutMode.first, .between])
    func firstTimeout(mode: TimeoutMode) {
        let recorder = PausingRecorder(source.timeout(.seconds(5), mode, failing: "silent", on: time), after: 0)
        time.advance(by: .seconds(100))
        #expect(recorder.events == [])
        recorder.release()
        time.advance(by: .seconds(4))
        #expect(recorder.events == [])
        time.advance(by: .seconds(1))
        #expect(recorder.events == [.failed("silent")])
    }

    @Test("a timeout in total includes pauses, and needs no room to fail")
    func totalTimeout() {
        let recorder = PausingRecorder(source.timeout(.seconds(5), .total, failing: "late", on: time), after: 1)
        source.send(1)
        time.advance(by: .seconds(5))
        #expect(recorder.events == [.next(1), .failed("late")])
    }

    @Test("a source that ended in time is heard whole, however late", arguments: [TimeoutMode.total, .between, .first])
    func endedInTime(mode: TimeoutMode) {
        let recorder = PausingRecorder(source.timeout(.seconds(5), mode, failing: "late", on: time), after: 1)
        for value in 1...3 { source.send(value) }
        source.complete()
        time.advance(by: .seconds(5))
        recorder.release()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
        #expect(time.pendingCount == 0)
    }

    @Test("what comes while a timeout fails is too late")
    func tooLate() {
        let recorder = Recorder(
            source.timeout(
                .seconds(5),
                failing: {
                    source.send(1)
                    source.complete()
                    return "late"
                }(),
                on: time
            )
        )
        time.advance(by: .seconds(5))
        #expect(recorder.events == [.failed("late")])
    }

    @Test("a timeout begins anew after a pause that is over before it would have fired")
    func shortPause() {
        let recorder = PausingRecorder(source.timeout(.seconds(5), failing: "silent", on: time), after: 0)
        time.advance(by: .seconds(4))
        recorder.release()
        time.advance(by: .seconds(4))
        #expect(recorder.events == [])
        time.advance(by: .seconds(1))
        #expect(recorder.events == [.failed("silent")])
    }

    @Test("a watchdog's silence begins anew after a short pause that its own report caused")
    func shortPauseOfAWatchdog() {
        let recorder = PausingRecorder(source.watchdog(.seconds(4), on: time) { $0.count }, after: 1)
        time.advance(by: .seconds(7))
        #expect(recorder.values == [1])
        recorder.release()
        time.advance(by: .seconds(3))
        #expect(recorder.values == [1])
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1, 1])
        recorder.dispose()
    }

    @Test("the fallback signal of a timeout is paused, too")
    func fallback() {
        let recorder = PausingRecorder(
            source.timeout(
                .seconds(5),
                fallingBackTo: Signals.from(1...5).promoteFailure(to: TestFailure.self),
                on: time
            ),
            after: 2
        )
        time.advance(by: .seconds(5))
        #expect(recorder.values == [1, 2])
        recorder.release()
        #expect(recorder.values == [1, 2, 3, 4, 5])
        #expect(recorder.hasEnded)
        #expect(recorder.overrun == 0)
    }

    @Test("a watchdog is silent without room, and the silence restarts when there is room")
    func watchdog() {
        let silences = Collected<Silence>()
        let recorder = PausingRecorder(
            source.watchdog(.seconds(1), on: time) { silence in
                silences.add(silence)
                return -silence.count
            },
            after: 1
        )
        source.send(1)
        time.advance(by: .seconds(100))
        #expect(silences.all == [])
        #expect(time.pendingCount == 0)
        recorder.release(1)
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1, -1])
        // Its report has filled the room.
        time.advance(by: .seconds(100))
        #expect(silences.all.count == 1)
        recorder.release()
        time.advance(by: .seconds(2))
        #expect(recorder.values == [1, -1, -1, -2])
        #expect(recorder.overrun == 0)
        recorder.dispose()
        #expect(time.pendingCount == 0)
    }

    @Test("take(for:) passes values that were in time and wait for room; its source is released at once")
    func takeFor() {
        let recorder = PausingRecorder(source.take(for: .seconds(1), on: time), after: 1)
        for value in 1...3 { source.send(value) }
        time.advance(by: .seconds(1))
        #expect(source.liveSubscriptions == 0)
        #expect(recorder.events == [.next(1)])
        recorder.release()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
        #expect(recorder.lost == 0)
    }

    @Test("take(for:) of a paused source ends at its time")
    func takeForEnds() {
        let recorder = PausingRecorder(Signals.from(1...9).take(for: .seconds(1), on: time), after: 2)
        time.advance(by: .seconds(1))
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test("no further attempt is made without room")
    func retry() {
        let attempts = Collected<Int>()
        let failing = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            attempts.add(0)
            emitter.send(1)
            emitter.fail("no")
            return nil
        }
        let recorder = PausingRecorder(failing.retry(backoff: .constant(.seconds(1)), on: time), after: 2)
        time.advance(by: .seconds(100))
        #expect(recorder.values == [1, 1])
        #expect(attempts.all.count == 2)
        #expect(time.pendingCount == 0)
        recorder.release(1)
        #expect(attempts.all.count == 2, "on the scheduler, as always")
        time.advance()
        #expect(attempts.all.count == 3)
        #expect(recorder.overrun == 0)
        recorder.dispose()
        time.advance(by: .seconds(100))
        #expect(attempts.all.count == 3)
        #expect(time.pendingCount == 0)
    }

    @Test("operators without a queue pass on a pause and its end")
    func passThrough() {
        let numbers = Signals.from(1...6)
        let signals: [AnySignal<Int, Never>] = [
            AnySignal(numbers.delaySubscription(.seconds(1), on: time)), AnySignal(numbers.skip(for: .zero, on: time)),
            AnySignal(numbers.take(for: .seconds(1000), on: time)), AnySignal(numbers.timestamp(on: time).map(\.value)),
            AnySignal(numbers.measureInterval(on: time).scan(0) { count, _ in count + 1 }),
            AnySignal(numbers.timeout(.seconds(5), ending: .completed, on: time)),
            AnySignal(numbers.watchdog(.seconds(5), on: time) { _ in nil }),
            AnySignal(numbers.retry(backoff: .constant(.seconds(1)), on: time)),
        ]
        for signal in signals {
            let recorder = PausingRecorder(signal, after: 2)
            time.advance(by: .seconds(1))
            #expect(recorder.values == [1, 2], "\(signal.chain)")
            recorder.release(3)
            #expect(recorder.values == [1, 2, 3, 4, 5], "\(signal.chain)")
            recorder.release()
            #expect(recorder.values == [1, 2, 3, 4, 5, 6], "\(signal.chain)")
            #expect(recorder.hasEnded, "\(signal.chain)")
            #expect(recorder.overrun == 0, "\(signal.chain)")
        }
        #expect(time.pendingCount == 0)
    }

    @Test("when disposed of while they are paused, all of them are freed")
    func freed() {
        let source = source
        let builds: [(AnySignal<Int, TestFailure>) -> AnySignal<Int, TestFailure>] = [
            { AnySignal($0.timeout(.seconds(5), failing: "silent", on: time)) },
            { AnySignal($0.timeout(.seconds(5), ending: .completed, on: time)) },
            { AnySignal($0.watchdog(.seconds(5), on: time) { _ in 0 }) },
            { AnySignal($0.take(for: .seconds(5), on: time)) },
            { AnySignal($0.retry(backoff: .constant(.seconds(1)), on: time)) },
            { AnySignal($0.rateLimit(1, per: .seconds(1), limit: 1, on: time)) },
        ]
        for build in builds {
            let (recorder, isAlive) = holding { held in
                PausingRecorder(held.by(build(held.by(source))), after: 1)
            }
            for value in 1...3 { source.send(value) }
            time.advance(by: .seconds(2))
            #expect(recorder.isAwaited)
            #expect(isAlive())
            recorder.dispose()
            #expect(!isAlive())
            #expect(source.liveSubscriptions == 0)
            #expect(time.pendingCount == 0)
        }
    }
}
