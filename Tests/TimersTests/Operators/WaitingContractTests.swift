import Bus
import BusTesting
import Testing
import Timers

@Suite("Operators that wait keep the delivery contract")
struct WaitingContractTests {
    typealias Check = ContractCheck<AnySignal<Int, TestFailure>>

    /// The held value when the second subscription begins depends on when it begins.
    static let timed: [ContractPromise: String] = [
        .independence: "which values pass depends on the pauses between them, and the check pauses otherwise"
    ]

    /// The timer is also a sender.
    static let silent: [ContractPromise: String] = [
        .freedWithItsSources: "a source that is gone is silent, and the timer is there to say so at its time"
    ]

    @Test(
        "debounce",
        arguments: [AtCompletion.flush, .wait, .drop],
        [DebounceEdge.trailing, .leading]
    )
    func debounce(atCompletion: AtCompletion, edge: DebounceEdge) {
        let found = violations("debounce", except: Self.timed) {
            $0.debounce(.milliseconds(5), edge: edge, atCompletion: atCompletion, on: $1)
        }
        #expect(found == [])
    }

    @Test("throttle", arguments: [ThrottleEdges.leading, .trailing, .both], [AtCompletion.flush, .wait, .drop])
    func throttle(edges: ThrottleEdges, atCompletion: AtCompletion) {
        let found = violations("throttle", except: Self.timed) {
            $0.throttle(.milliseconds(5), edges: edges, atCompletion: atCompletion, on: $1)
        }
        #expect(found == [])
    }

    @Test("sample(every:)", arguments: [AtCompletion.flush, .wait, .drop])
    func sample(atCompletion: AtCompletion) {
        let found = violations("sample", except: Self.timed) {
            $0.sample(every: .milliseconds(5), atCompletion: atCompletion, on: $1)
        }
        #expect(found == [])
    }

    @Test("collect(every:limit:)", arguments: [1, 2, 1024])
    func collect(limit: Int) {
        let found = violations("collect", except: limit == 1 ? [:] : Self.timed) {
            $0.collect(every: .milliseconds(5), limit: limit, on: $1).map { $0.count }
        }
        #expect(found == [])
    }

    @Test("window(every:)")
    func window() {
        let heardInside = [ContractPromise.losses: "a loss is reported in the window, which nothing subscribes to here"]
        let found = violations("window", except: Self.timed.merging(heardInside) { $1 }) {
            // Windows open as long as there is room for them, and the check makes room while they do.
            $0.window(every: .milliseconds(500), on: $1).map { _ in 1 }.take(first: 100)
        }
        #expect(found == [])
    }

    @Test("delay", arguments: [DelayedFailure.immediate, .delayed])
    func delay(failure: DelayedFailure) {
        let found = violations("delay") { $0.delay(.milliseconds(5), failure: failure, limit: 4096, on: $1) }
        #expect(found == [])
    }

    @Test("rateLimit")
    func rateLimit() {
        let found = violations("rateLimit") { $0.rateLimit(2, per: .milliseconds(1), limit: 4096, on: $1) }
        #expect(found == [])
    }

    @Test("take(for:), skip(for:), delaySubscription, measureInterval, timestamp, count(within:)")
    func timespans() {
        #expect(violations("take(for:)", except: Self.silent) { $0.take(for: .seconds(1000), on: $1) } == [])
        #expect(violations("skip(for:)") { $0.skip(for: .zero, on: $1) } == [])
        #expect(violations("measureInterval") { $0.measureInterval(on: $1).map { _ in 1 } } == [])
        #expect(violations("timestamp") { $0.timestamp(on: $1).map(\.value) } == [])
        #expect(violations("count(within:)") { $0.count(within: .seconds(1), on: $1).map(\.value) } == [])
    }

    @Test("retry(backoff:)")
    func retry() {
        let keeps: [ContractPromise: String] = [.freedWithItsSources: "it keeps its source, to subscribe to it again"]
        let endless = keeps.merging([
            .failingFirst: "a failure is followed by another attempt",
            .failingMidway: "a failure is followed by another attempt",
            .endsOnTwoThreads: "the failure may be first, and is followed by another attempt",
        ]) { $1 }
        #expect(violations("retry", except: endless) { $0.retry(backoff: .constant(.milliseconds(1)), on: $1) } == [])
        let found = violations("retry", except: keeps) {
            $0.retry(backoff: .constant(.milliseconds(1), limit: 0), on: $1)
        }
        #expect(found == [])
    }

    @Test("timeout to the first value")
    func first() {
        let found = violations("timeout") { $0.timeout(.seconds(100_000), .first, failing: "silent", on: $1) }
        #expect(found == [])
    }

    @Test("timeout between values and in total", arguments: [TimeoutMode.between, .total])
    func timeout(mode: TimeoutMode) {
        let limit = Duration.seconds(100_000)
        #expect(violations("failing", except: Self.silent) { $0.timeout(limit, mode, failing: "silent", on: $1) } == [])
        #expect(violations("ending", except: Self.silent) { $0.timeout(limit, mode, ending: .completed, on: $1) } == [])
        let never = Signals.never(Int.self, failure: TestFailure.self)
        #expect(
            violations("other", except: Self.silent) { $0.timeout(limit, mode, fallingBackTo: never, on: $1) } == []
        )
    }

    @Test("watchdog")
    func watchdog() {
        #expect(violations("watchdog", except: Self.silent) { $0.watchdog(.seconds(100_000), on: $1) { _ in 0 } } == [])
    }

    @Test("the chain of a dropped source is freed after the timeout's failure")
    func freedByTimeout() {
        final class Held: Sendable {}
        weak var held: Held?
        let time = TestScheduler()
        let failures = Collected<TestFailure>()
        func start() {
            let strong = Held()
            held = strong
            _ = Signals.never(Int.self, failure: TestFailure.self)
                .timeout(.seconds(1), failing: "silent", on: time)
                .subscribe(next: { _ in _ = strong }, failed: failures.add)
        }
        start()
        #expect(held != nil)
        time.advance(by: .seconds(1))
        #expect(failures.all == ["silent"])
        #expect(held == nil)
    }

    /// All violations that the check finds when an operator is applied to its source in virtual time.
    private func violations(
        _ name: String,
        except exceptions: [ContractPromise: String] = [:],
        _ build: @escaping @Sendable (AnySignal<Int, TestFailure>, TestScheduler) -> some Signal<Int, TestFailure>
    ) -> [String] {
        let time = TestScheduler()
        return ContractCheck(name, except: exceptions, settle: { time.advance(by: .seconds(10)) }) {
            AnySignal(build(AnySignal($0[0]), time))
        }
        .violations()
    }
}
