import Bus
import BusTesting
import Testing
import Timers

@Suite("Operators that wait describe themselves")
struct WaitingChainTests {
    let time = TestScheduler()

    @Test("chains name their operators and durations")
    func chains() {
        let source = Signals.never(Int.self)
        let second = Duration.seconds(1)
        func name(_ signal: some Signal) -> String { signal.chain.operators.joined(separator: " → ") }
        #expect(name(source.throttle(second, on: time)) == "throttle(1.0 seconds)")
        #expect(name(source.debounce(second, on: time)) == "debounce(1.0 seconds)")
        #expect(name(source.sample(every: second, on: time)) == "sample(every: 1.0 seconds)")
        #expect(name(source.collect(every: second, limit: 5, on: time)) == "collect(every: 1.0 seconds, limit: 5)")
        #expect(name(source.window(every: second, on: time)) == "window(every: 1.0 seconds)")
        #expect(name(source.delay(second, on: time)) == "delay(1.0 seconds)")
        #expect(name(source.rateLimit(5, per: second, on: time)) == "rateLimit(5, per: 1.0 seconds)")
        #expect(name(source.take(for: second, on: time)) == "take(for: 1.0 seconds)")
        #expect(name(source.skip(for: second, on: time)) == "skip(for: 1.0 seconds)")
        #expect(name(source.delaySubscription(second, on: time)) == "delaySubscription(1.0 seconds)")
        #expect(name(source.measureInterval(on: time)) == "measureInterval")
        #expect(name(source.timestamp(on: time)) == "timestamp")
        #expect(name(source.count(within: second, on: time)) == "count(within:)")
        #expect(name(source.watchdog(second, on: time) { _ in nil }) == "watchdog(1.0 seconds)")
        #expect(name(source.timeout(second, ending: .completed, on: time)) == "timeout(1.0 seconds, ending: completed)")
        #expect(
            name(source.timeout(second, .total, ending: .completed, on: time))
                == "timeout(1.0 seconds, total, ending: completed)"
        )
        #expect(
            name(source.timeout(second, fallingBackTo: Signals.empty(Int.self), on: time))
                == "timeout(1.0 seconds, fallingBackTo: [empty])"
        )
        #expect(name(source.retry(backoff: .exponential(), on: time)) == "retry(backoff: 0.1 seconds to 30.0 seconds)")
        #expect(name(source.retry(backoff: .constant(second), on: time)) == "retry(backoff: 1.0 seconds)")
        #expect("\(Signals.interval(every: second, on: time).chain)" == "[interval(every: 1.0 seconds)]")
        #expect("\(Signals.timer(after: second, on: time).chain)" == "[timer(after: 1.0 seconds)]")
    }
}
