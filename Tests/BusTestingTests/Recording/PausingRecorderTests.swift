import Bus
import BusTesting
import Testing

@Suite("A recorder that pauses, and a source that records the answers")
struct PausingRecorderTests {
    @Test("after a number of values it pauses, and takes as many more as it is released for")
    func releasing() {
        let recorder = PausingRecorder(Signals.from(1...5), after: 2)
        #expect(recorder.values == [1, 2] && recorder.isPaused && recorder.isAwaited)
        recorder.release(1)
        #expect(recorder.values == [1, 2, 3] && recorder.isPaused)
        recorder.release()
        #expect(recorder.values == [1, 2, 3, 4, 5] && recorder.hasEnded && !recorder.isPaused && !recorder.isAwaited)
        #expect(recorder.overrun == 0 && recorder.violations == [])
    }

    @Test("without room at first it hears nothing before it is released")
    func pausedFromTheBeginning() {
        let recorder = PausingRecorder(Signals.from(1...2), after: 0)
        #expect(recorder.events.isEmpty && recorder.isAwaited)
        recorder.release()
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test("released inside its callback, it does not pause")
    func releasedInside() {
        let inner = Lock<PausingRecorder<Int, TestFailure>?>(nil)
        let source = ProbeSource<Int, TestFailure>()
        let recorder = PausingRecorder(source, after: 1, onNext: { _ in inner.withLock { $0 }?.release(1) })
        inner.withLock { $0 = recorder }
        for value in 1...3 { source.send(value) }
        #expect(source.pauses == 0 && recorder.values == [1, 2, 3] && recorder.overrun == 0)
        inner.withLock { $0 = nil }
    }

    @Test("after disposal it calls nobody back")
    func disposal() {
        let source = ProbeSource<Int, TestFailure>()
        let recorder = PausingRecorder(source, after: 1)
        source.send(1)
        recorder.dispose()
        recorder.release()
        #expect(source.callbacks == 0 && source.liveSubscriptions == 0)
    }

    @Test("a source knows its answers, and values sent anyway are counted")
    func answers() {
        let source = ProbeSource<Int, TestFailure>()
        #expect(source.lastAnswer == nil && source.demand == .more)
        let recorder = PausingRecorder(source, after: 2)
        source.send(1)
        #expect(source.lastAnswer == .more)
        source.send(2)
        #expect(source.lastAnswer == .pause && source.demand == .pause)
        source.send(3)
        #expect(recorder.values == [1, 2, 3] && recorder.overrun == 1 && source.pauses == 2)
        let ready = Lock(0)
        #expect(source.whenReady { ready.withLock { $0 += 1 } } == .pause)
        recorder.release(1)
        #expect(source.callbacks == 1 && ready.withLock { $0 } == 1 && source.demand == .more)
        source.complete()
        #expect(recorder.hasEnded && source.demand == .stop)
    }

    @Test("a cold source continues, and values that arrive meanwhile are queued in order")
    func cold() throws {
        let time = TestScheduler()
        let recorder = PausingRecorder(
            try time.cold("-1-2-3|", failure: Never.self) as ColdSource<Int, Never>,
            after: 1,
            on: time
        )
        time.run()
        #expect(recorder.values == [1] && !recorder.hasEnded)
        recorder.release()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed] && recorder.overrun == 0)
    }
}
