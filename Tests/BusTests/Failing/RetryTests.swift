import Bus
import BusTesting
import TestSupport
import Testing

@Suite("retry")
struct RetryTests {
    @Test("retry(n) makes n more attempts", arguments: [(0, 1), (1, 2), (2, 3), (-1, 1)])
    func counts(times: Int, attempts: Int) {
        let source = Attempts(failing: .max)
        let recorder = Recorder(source.signal.retry(times))
        #expect(source.count == attempts)
        #expect(recorder.values == Array(1...attempts))
        #expect(recorder.events.last == .failed(TestFailure(stringLiteral: "attempt \(attempts)")))
    }

    @Test("a completion ends it, and values of failed attempts were delivered")
    func completes() {
        let recorder = Recorder(Attempts(failing: 2).signal.retry(5))
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }

    @Test("each subscription counts its own attempts")
    func independence() {
        let signal = Signals.fail(TestFailure(stringLiteral: "x"), of: Int.self).retry(3)
        let counted = Log<Int>()
        let counting = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            counted.append(1)
            emitter.fail("x")
            return nil
        }.retry(1)
        _ = (Recorder(counting), Recorder(counting))
        #expect(counted.entries.count == 4)
        #expect(Recorder(signal).events == [.failed("x")])
    }

    @Test("any number of attempts that fail at once need no stack")
    func million() {
        let rounds = deepRounds()
        let source = Attempts(failing: rounds)
        let sum = Lock(0)
        let handle = source.signal.retry(.max).subscribe(
            next: { value in sum.withLock { $0 += value } },
            failed: { _ in }
        )
        #expect(source.count == rounds + 1)
        #expect(sum.withLock { $0 } == (rounds + 1) * (rounds + 2) / 2)
        withExtendedLifetime(handle) {}
    }

    @Test("retryForever continues until it completes, and cannot fail")
    func forever() {
        let recorder: Recorder<Int, Never> = Recorder(Attempts(failing: 1_000).signal.retryForever())
        #expect(recorder.values.count == 1_001)
        #expect(recorder.hasEnded)
    }

    @Test("an observer that has enough ends an endless retry, with a completion")
    func stopping() {
        let recorder = Recorder(Attempts(failing: .max).signal.retryForever().take(first: 3))
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }

    @Test("an observer that ignores its values ends an endless retry, too")
    func stoppingByDemand() {
        let enough = Lock(false)
        let source = Attempts { number in
            if number == 10 { enough.withLock { $0 = true } }
            return .failed("x")
        }
        let recorder = Recorder(
            StoppingSignal(upstream: source.signal.retry(.max), isEnough: { enough.withLock { $0 } })
        )
        #expect(source.count == 10)
        #expect(recorder.events == [.completed])
    }

    @Test("disposing between two attempts, from inside the failure, starts no other")
    func disposedBetween() {
        let subscription = SerialDisposable()
        let first = ProbeSource<Int, TestFailure>()
        let attempts = Lock(0)
        let source = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            attempts.withLock { $0 += 1 }
            return first.subscribe(
                next: { emitter.send($0) },
                failed: { failure in
                    subscription.dispose()
                    emitter.fail(failure)
                }
            )
        }
        let heard = Log<String>()
        subscription.set(source.retry(5).subscribe(next: { _ in }, failed: { heard.append("\($0)") }))
        first.fail("broken")
        #expect(attempts.withLock { $0 } == 1)
        #expect(heard.entries == [])
    }

    @Test("disposing while an attempt is being subscribed to ends an endless retry")
    func disposedDuring() {
        let subscription = SerialDisposable()
        let start = ProbeSource<Int, TestFailure>()
        let attempts = Lock(0)
        let source = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            let attempt = attempts.withLock { attempts -> Int in
                attempts += 1
                return attempts
            }
            guard attempt > 1 else {
                return start.subscribe(next: { _ in }, failed: { emitter.fail($0) })
            }
            if attempt == 100 { subscription.dispose() }
            emitter.fail("attempt")
            return nil
        }
        subscription.set(source.retryForever().subscribe())
        start.fail("begin")
        #expect(attempts.withLock { $0 } == 100)
    }

    @Test("disposing on another thread, at any moment, ends an endless synchronous retry", arguments: 0..<20)
    func disposedElsewhere(delay: Int) {
        let go = Latch()
        let subscription = SerialDisposable()
        let start = Subject(of: Int.self, failure: TestFailure.self)
        let attempts = Lock(0)
        let threads = Threads()
        let source = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            let attempt = attempts.withLock { attempts -> Int in
                attempts += 1
                return attempts
            }
            guard attempt > 1 else { return start.subscribe(next: { _ in }, failed: { emitter.fail($0) }) }
            emitter.send(attempt)
            if attempt == 2 + delay { go.open() }
            emitter.fail("attempt")
            return nil
        }
        subscription.set(source.retryForever().subscribe())
        threads.start { start.fail("begin") }
        threads.start {
            go.wait()
            subscription.dispose()
        }
        threads.wait()
        // The next attempt is made inside `fail`, which has returned.
        #expect(attempts.withLock { $0 } >= 2 + delay)
    }

    @Test("nothing accumulates: only the resources of one attempt are held")
    func nothingAccumulates() {
        let held = Lock((now: 0, most: 0))
        let source = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            held.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            emitter.fail("x")
            return ActionDisposable { held.withLock { $0.now -= 1 } }
        }
        let recorder = Recorder(source.retry(Stress.rounds(10_000, stress: 100_000)))
        #expect(recorder.hasEnded)
        #expect(held.withLock { $0.now } == 0)
        #expect(held.withLock { $0.most } == 1)
    }
}

/// Answers with the demand it is given, whatever happens downstream.
private struct StoppingSignal<Upstream: Signal>: Signal {
    typealias Value = Upstream.Value
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    let isEnough: @Sendable () -> Bool

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(StoppingObserver(downstream: observer, isEnough: isEnough))
    }
}

private struct StoppingObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    typealias Value = Downstream.Value
    typealias Failure = Downstream.Failure
    var downstream: Downstream
    let isEnough: @Sendable () -> Bool

    init(downstream: consuming Downstream, isEnough: @escaping @Sendable () -> Bool) {
        self.downstream = downstream
        self.isEnough = isEnough
    }

    mutating func next(_ value: Value) -> Demand { .more }

    mutating func lost(_ count: Int) {}

    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    var demand: Demand { isEnough() ? .stop : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}
