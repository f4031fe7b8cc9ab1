import Bus
import BusTesting
import Testing

@Suite("Operators that watch keep the delivery contract")
struct WatchingContractTests {
    @Test func on() {
        let check = ContractCheck("on") {
            $0[0].on(next: { _ in }, failed: { _ in }, completed: {}, terminated: {}, subscribed: {}, disposed: {})
        }
        #expect(check.violations() == [])
    }

    @Test func finally() {
        #expect(ContractCheck("finally") { $0[0].finally {} }.violations() == [])
    }

    @Test func named() {
        #expect(ContractCheck("named") { $0[0].map { $0 + 1 }.named("sensor") }.violations() == [])
    }

    @Test func groupBy() {
        let keys = ContractCheck("groupBy keys") { $0[0].groupBy { $0 % 2 }.map { $0.key } }
        #expect(keys.violations() == [])
        let values = ContractCheck("groupBy values") { sources in
            sources[0].groupBy { $0 % 2 }.flatMap { group in group }
        }
        #expect(values.violations() == [])
    }
}
