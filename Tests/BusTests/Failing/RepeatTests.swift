import Bus
import BusTesting
import Testing

@Suite("repeat")
struct RepeatTests {
    @Test("repeat(n) makes n rounds in total", arguments: [(1, 1), (2, 2), (5, 5)])
    func counts(times: Int, rounds: Int) {
        let source = Attempts(failing: 0)
        let recorder = Recorder(source.signal.repeat(times))
        #expect(source.count == rounds)
        #expect(recorder.values == Array(1...rounds))
        #expect(recorder.events.last == .completed)
    }

    @Test("repeat(0) is empty and subscribes to nothing", arguments: [0, -1])
    func none(times: Int) {
        let source = Attempts(failing: 0)
        #expect(Recorder(source.signal.repeat(times)).events == [.completed])
        #expect(source.count == 0)
    }

    @Test("a failure ends it")
    func failure() {
        let source = Attempts { $0 < 3 ? .completed : .failed("third") }
        #expect(Recorder(source.signal.repeat(5)).events == [.next(1), .next(2), .next(3), .failed("third")])
        let forever = Attempts { $0 < 3 ? .completed : .failed("third") }
        #expect(Recorder(forever.signal.repeatForever()).events.last == .failed("third"))
    }

    @Test("any number of rounds of a synchronous signal need no stack")
    func million() {
        let rounds = deepRounds()
        let sum = Lock(0)
        _ = Signals.just(1).repeat(rounds).subscribe(next: { value in sum.withLock { $0 += value } })
        #expect(sum.withLock { $0 } == rounds)
    }

    @Test("any number of rounds of a source that fails and is caught need no stack")
    func manyCaught() {
        let rounds = deepRounds(stress: 100_000)
        let sum = Lock(0)
        _ = Signals.fail(TestFailure(stringLiteral: "x"), of: Int.self).catch { _ in Signals.just(1) }.repeat(rounds)
            .subscribe(next: { value in sum.withLock { $0 += value } })
        #expect(sum.withLock { $0 } == rounds)
    }

    @Test("repeatForever ends with an observer that has enough, in the middle of a round and at its end")
    func stopping() {
        let middle = Recorder(Signals.from([1, 2, 3]).repeatForever().take(first: 5))
        #expect(middle.events == [.next(1), .next(2), .next(3), .next(1), .next(2), .completed])
        let end = Recorder(Signals.from([1, 2, 3]).repeatForever().take(first: 6))
        #expect(end.values == [1, 2, 3, 1, 2, 3])
        #expect(end.hasEnded)
    }

    @Test("an observer that answers stop only once ends the repetition")
    func stoppedByAnswerAlone() {
        let recorder = Recorder(Signals.from([1, 2]).repeatForever(), onNext: { _ in .stop })
        #expect(recorder.events == [.next(1), .completed])
    }

    @Test("rounds of a source that ends on another thread follow one another there")
    func asynchronous() {
        let thread = ThreadScheduler(name: "rounds")
        let recorder = Recorder(Signals.from([1, 2]).subscribe(on: thread).repeat(1_000))
        recorder.waitForEnd()
        #expect(recorder.values.count == 2_000)
        #expect(recorder.violations == [])
    }

    @Test("disposing inside a callback ends it")
    func disposedInside() {
        let subscription = SerialDisposable()
        let start = Subject(of: Int.self)
        let heard = Log<Int>()
        let signal = start.take(first: 1).concat(Signals.from([7, 8]).repeatForever())
        subscription.set(
            signal.subscribe(next: { value in
                heard.append(value)
                if heard.entries.count == 6 { subscription.dispose() }
            })
        )
        start.send(1)
        #expect(heard.entries == [1, 7, 8, 7, 8, 7])
    }
}
