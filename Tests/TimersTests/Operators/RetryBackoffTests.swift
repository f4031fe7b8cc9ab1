import Bus
import BusTesting
import TestSupport
import Testing
import Timers

@Suite("retry(backoff:)")
struct RetryBackoffTests {
    let time = TestScheduler()

    @Test("attempts follow at growing distances, up to the longest")
    func grows() {
        let attempts = Collected<Double>()
        let subscription = failing(attempts)
            .retry(backoff: .exponential(from: .seconds(1), factor: 3, upTo: .seconds(10), jitter: 0), on: time)
            .subscribe(next: { _ in }, failed: { _ in })
        time.advance(by: .seconds(50))
        #expect(attempts.all == [0, 1, 4, 13, 23, 33, 43])
        subscription.dispose()
        #expect(time.pendingCount == 0)
    }

    @Test("values and completion pass; failures in between are not heard")
    func passes() {
        #expect(
            Diagram(
                """
                self   -1-x
                retry  -1----1----(1|)
                """
            ).violations { $0.cold("self").retry(backoff: .constant(.columns(2)), on: $0.time).take(first: 3) } == []
        )
    }

    @Test("after the last attempt its failure is heard", arguments: [0, 1, 3])
    func limited(limit: Int) {
        let attempts = Collected<Double>()
        let recorder = time.record(
            failing(attempts).retry(backoff: .constant(.seconds(1), limit: limit), on: time)
        )
        time.run()
        #expect(attempts.all.count == limit + 1)
        #expect(recorder.events == [.failed("no")])
        #expect(time.pendingCount == 0)
    }

    @Test("a failure that should not be retried is heard at once")
    func selective() {
        let recorder = time.record(
            failing(Collected()).retry(backoff: .constant(.seconds(1)), on: time) { $0 != "no" }
        )
        #expect(recorder.events == [.failed("no")])
    }

    @Test("a quiet period resets the waits")
    func resets() {
        let attempts = Collected<Double>()
        let lifetimes = Lock([0, 0, 0, 20, 0, 0])
        let time = time
        let source = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            attempts.add(time.now.nanoseconds.seconds)
            let lifetime = lifetimes.withLock { $0.isEmpty ? 1000 : $0.removeFirst() }
            let timer = time.schedule(after: .seconds(lifetime)) { emitter.fail("no") }
            return ActionDisposable { timer.cancel() }
        }
        let subscription = source.retry(
            backoff: .exponential(from: .seconds(1), upTo: .seconds(100), jitter: 0, resetAfter: .seconds(10)),
            on: time
        ).subscribe(next: { _ in }, failed: { _ in })
        time.advance(by: .seconds(60))
        // Waits of 1, 2, 4; then 20 s without a failure; then 1, 2, 4 again.
        #expect(attempts.all == [0, 1, 3, 7, 28, 30, 34].map(Double.init))
        subscription.dispose()
    }

    @Test("the same seed gives the same waits, within the bounds; other seeds give others")
    func jitter() {
        func waits(_ seed: UInt64) -> [Double] {
            let attempts = Collected<Double>()
            let time = TestScheduler()
            let subscription = failing(attempts, on: time)
                .retry(backoff: .exponential(from: .seconds(1), upTo: .seconds(8), jitter: 0.5, seed: seed), on: time)
                .subscribe(next: { _ in }, failed: { _ in })
            time.advance(by: .seconds(100))
            subscription.dispose()
            return zip(attempts.all.dropFirst(), attempts.all).map { $0 - $1 }
        }
        #expect(waits(7) == waits(7))
        #expect(waits(7) != waits(8))
        for (index, wait) in waits(7).enumerated() {
            let full = min(8, Double(1 << index))
            #expect(wait >= full / 2 && wait <= full)
        }
    }

    /// In a debug build 20,000 nested calls overflow the stack.
    @Test("consecutive failures need no more stack than one")
    func constantStack() {
        let most = Stress.rounds(25_000, stress: 1_000_000)
        let attempts = Lock(0)
        let source = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            let count = attempts.withLock { attempts -> Int in
                attempts += 1
                return attempts
            }
            if count < most { emitter.fail("no") } else { emitter.complete() }
            return nil
        }
        let recorder = time.record(source.retry(backoff: .constant(.zero), on: time))
        time.run()
        #expect(recorder.events == [.completed])
        #expect(attempts.withLock { $0 } == most)
    }

    @Test("disposed of while it waits, or during an attempt, it makes no further attempt")
    func disposed() {
        let attempts = Collected<Double>()
        let recorder = time.record(failing(attempts).retry(backoff: .constant(.seconds(1)), on: time))
        time.advance(by: .seconds(1.5))
        recorder.dispose()
        #expect(time.pendingCount == 0)
        time.advance(by: .seconds(10))
        #expect(attempts.all.count == 2)

        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let second = time.record(source.retry(backoff: .constant(.seconds(1)), on: time))
        #expect(source.liveSubscriptions == 1)
        second.dispose()
        #expect(source.liveSubscriptions == 0)
        source.fail("no")
        #expect(time.pendingCount == 0)
    }

    @Test(
        "waits of any size are valid",
        arguments: [
            Backoff.exponential(from: .zero), .exponential(from: .seconds(-1), upTo: .seconds(-5)),
            .exponential(factor: 0), .exponential(factor: .nan), .exponential(factor: .infinity),
            .exponential(jitter: 7),
            .exponential(jitter: -.infinity), .exponential(jitter: .nan),
            .exponential(from: TimerInstantTests.longest, upTo: TimerInstantTests.longest, jitter: 1),
            .exponential(from: TimerInstantTests.shortest, factor: -3, upTo: TimerInstantTests.longest),
        ]
    )
    func extremes(backoff: Backoff) {
        let attempts = Collected<Double>()
        var limited = backoff
        limited.limit = 2000
        let recorder = time.record(failing(attempts).retry(backoff: limited, on: time))
        time.advance(by: .seconds(1_000_000))
        #expect(recorder.violations == [])
        // The longest possible waits have only begun.
        let isOver = backoff.initial != TimerInstantTests.longest
        #expect(recorder.events == (isOver ? [.failed("no")] : []))
        #expect(isOver ? attempts.all.count == 2001 : (1...2000).contains(attempts.all.count))
        recorder.dispose()
        #expect(time.pendingCount == 0)
    }

    private func failing(_ attempts: Collected<Double>, on time: TestScheduler? = nil) -> AnySignal<Int, TestFailure> {
        let time = time ?? self.time
        return AnySignal(
            Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
                attempts.add(time.now.nanoseconds.seconds)
                emitter.fail("no")
                return nil
            }
        )
    }
}

extension Int64 {
    fileprivate var seconds: Double { Double(self) / 1e9 }
}
