import Bus
import BusTesting
import Testing

@Suite("retry(when:)")
struct RetryWhenTests {
    private struct GaveUp: Error, Equatable {}

    @Test("each answer starts an attempt")
    func answers() {
        let source = Attempts(failing: 3)
        let failures = Log<TestFailure>()
        let recorder = Recorder(
            source.signal.retry(when: { signal in
                signal.map { failure in failures.append(failure) }
            })
        )
        #expect(recorder.values == [1, 2, 3, 4])
        #expect(recorder.hasEnded)
        #expect(failures.entries == ["attempt 1", "attempt 2", "attempt 3"])
    }

    @Test("the handler is called once per subscription, before the first attempt")
    func handlerOnce() {
        let log = Log<String>()
        let source = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            log.append("attempt")
            emitter.fail("x")
            return nil
        }
        let signal = source.retry(when: { failures in
            log.append("handler")
            return failures.take(first: 1)
        })
        #expect(Recorder(signal).events == [.completed])
        #expect(log.entries == ["handler", "attempt"])
        _ = Recorder(signal)
        #expect(log.entries == ["handler", "attempt", "handler", "attempt"])
    }

    @Test("an answer later, on any thread")
    func later() {
        let source = Attempts(failing: 1)
        let answers = Subject(of: Void.self)
        let recorder = Recorder(source.signal.retry(when: { _ in answers }))
        #expect(recorder.events == [.next(1)])
        answers.send(())
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test("an answer while an attempt runs is ignored")
    func early() {
        let answers = Subject(of: Void.self)
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(source.retry(when: { _ in answers }))
        answers.send(())
        source.send(1)
        #expect(source.subscriptions == 1)
        #expect(recorder.values == [1])
        recorder.dispose()
        #expect(source.liveSubscriptions == 0)
    }

    @Test("the end of the answers ends the retry at once, and releases the attempt")
    func answersEnd() {
        let answers = Subject(of: Void.self, failure: GaveUp.self)
        let source = ProbeSource<Int, TestFailure>()
        let failed = Recorder(source.retry(when: { _ in answers }))
        let other = Subject(of: Void.self)
        let completed = Recorder(source.retry(when: { _ in other }))
        source.send(1)
        answers.fail(GaveUp())
        other.complete()
        source.send(2)
        #expect(failed.events == [.next(1), .failed(GaveUp())])
        #expect(completed.events == [.next(1), .completed])
        #expect(source.liveSubscriptions == 0)
    }

    @Test("giving up after some failures, with a custom failure")
    func givingUp() {
        let source = Attempts(failing: .max)
        let recorder = Recorder(
            source.signal.retry(when: { failures in
                failures.scan(0) { count, _ in count + 1 }.promoteFailure(to: GaveUp.self).flatMap { count in
                    count < 3
                        ? Signals.just(count, failure: GaveUp.self).eraseToAnySignal()
                        : Signals.fail(GaveUp(), of: Int.self).eraseToAnySignal()
                }
            })
        )
        #expect(recorder.events == [.next(1), .next(2), .next(3), .failed(GaveUp())])
    }

    @Test("answers that end before the first attempt leave nothing to try")
    func neverTried() {
        let source = Attempts(failing: 0)
        #expect(Recorder(source.signal.retry(when: { _ in Signals.empty(Int.self) })).events == [.completed])
        #expect(source.count == 0)
    }

    @Test("any number of attempts, answered at once, need no stack")
    func million() {
        let rounds = deepRounds()
        let source = Attempts(failing: rounds)
        let heard = Lock(0)
        _ = source.signal.retry(when: { $0 }).subscribe(next: { _ in heard.withLock { $0 += 1 } })
        #expect(heard.withLock { $0 } == rounds + 1)
    }

    @Test("any number after a later failure need none either")
    func manyLater() {
        let rounds = deepRounds(stress: 100_000)
        let source = Attempts(failing: rounds)
        let answers = Subject(of: Void.self)
        let heard = Lock(0)
        _ = source.signal.retry(when: { failures in answers.merge(failures.skip(first: 1).map { _ in }) })
            .subscribe(next: { _ in heard.withLock { $0 += 1 } })
        #expect(heard.withLock { $0 } == 1)
        answers.send(())
        #expect(heard.withLock { $0 } == rounds + 1)
    }

    @Test("disposing while an answer is awaited releases everything")
    func disposedWaiting() {
        let answers = ProbeSource<Int, Never>()
        let source = Attempts(failing: .max)
        let recorder = Recorder(source.signal.retry(when: { _ in answers }))
        #expect(answers.liveSubscriptions == 1)
        recorder.dispose()
        #expect(answers.liveSubscriptions == 0)
        answers.send(1)
        #expect(source.count == 1)
    }

    @Test("disposing inside an answer starts no attempt")
    func disposedInAnswer() {
        let source = Attempts(failing: .max)
        let subscription = SerialDisposable()
        let answers = Subject(of: Void.self)
        subscription.set(
            source.signal.retry(when: { _ in answers.map { _ in subscription.dispose() } }).subscribe()
        )
        answers.send(())
        #expect(source.count == 1)
    }

    @Test("a source that is dropped without an end frees the answers, too")
    func freed() {
        final class Canary: Sendable {
            func sing() {}
        }
        weak var weakly: Canary?
        let subject = Lock<Subject<Int, TestFailure>?>(Subject(failure: TestFailure.self))
        var handle: (any Disposable)?
        do {
            let canary = Canary()
            weakly = canary
            // Taken by the only attempt, so nothing else holds it.
            let source = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
                let source = subject.withLock { $0.take() }
                _ = source?.subscribe(next: { emitter.send($0) }, failed: { _ in })
                return nil
            }
            handle = source.retry(when: { failures in failures.map { _ in canary.sing() } })
                .subscribe(next: { _ in canary.sing() })
        }
        #expect(weakly == nil)
        withExtendedLifetime(handle) {}
    }

    @Test("failures and answers on different threads, disposed of at any moment", arguments: 0..<20)
    func stress(delay: Int) {
        let answers = Subject(of: Int.self)
        let thread = ThreadScheduler(name: "attempts")
        let attempt = Signals.just(1, failure: TestFailure.self)
            .concat(Signals.fail(TestFailure(stringLiteral: "x"), of: Int.self))
        let source = attempt.subscribe(on: thread)
        let reached = Latch()
        let failures = Lock(0)
        let recorder = Recorder(
            source.retry(when: { signal in
                signal.map { _ in
                    let count = failures.withLock { count -> Int in
                        count += 1
                        return count
                    }
                    if count == delay + 1 { reached.open() }
                }.merge(answers.map { _ in })
            })
        )
        let threads = Threads()
        threads.start { for number in 0..<200 { answers.send(number) } }
        threads.start {
            reached.wait()
            recorder.dispose()
        }
        threads.wait()
        thread.settle()
        let (heard, failed) = (recorder.valueCount, failures.withLock { $0 })
        #expect(heard > delay)
        #expect(recorder.violations == [])
        #expect(recorder.eventsAfterDisposal <= 1)
        thread.settle()
        #expect(recorder.valueCount == heard)
        #expect(failures.withLock { $0 } == failed)
    }
}
