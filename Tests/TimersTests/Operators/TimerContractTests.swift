import Bus
import BusTesting
import Testing
import Timers

@Suite("Operators that wait keep the delivery contract")
struct TimerContractTests {
    let time = TestScheduler()

    @Test("timeout to the first value")
    func first() {
        #expect(check(.first).violations() == [])
    }

    @Test("timeout between values and in total: only the wait itself outlives a source that went without an end")
    func betweenAndTotal() {
        // A source that is gone is silent, and the timeout is there to say so: its timer holds the chain until then.
        let waits = ["timeout: the chain outlived its sources"]
        #expect(check(.between).violations() == waits)
        #expect(check(.total).violations() == waits)
    }

    @Test("the chain of a source that went is freed when the timeout has spoken")
    func freedByTimeout() {
        final class Held: Sendable {}
        weak var held: Held?
        let failures = Collected<TestFailure>()
        func start() {
            let strong = Held()
            held = strong
            Signals.never(Int.self, failure: TestFailure.self)
                .timeout(.seconds(1), failing: "silent", on: time)
                .subscribe(next: { _ in _ = strong }, failed: failures.add)
        }
        start()
        #expect(held != nil)
        time.advance(by: .seconds(1))
        #expect(failures.all == ["silent"])
        #expect(held == nil)
    }

    private func check(_ mode: TimeoutMode) -> ContractCheck<some Signal<Int, TestFailure>> {
        ContractCheck("timeout") { [time] in $0[0].timeout(.seconds(1), mode, failing: "silent", on: time) }
    }
}
