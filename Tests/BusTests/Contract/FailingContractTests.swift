import Bus
import BusTesting
import Testing

@Suite("Operators that fail and try again keep the delivery contract")
struct FailingContractTests {
    /// An operator that subscribes again must keep its source, and a hot source keeps its observers.
    private static let keepsItsSource: [ContractPromise: String] = [
        .freedWithItsSources: "it keeps its source, to subscribe again"
    ]

    private static let endless = "over a source that ended for good it would go on for ever"

    @Test func catching() {
        let check = ContractCheck("catch") { $0[0].catch { Signals.fail($0, of: Int.self) } }
        #expect(check.violations() == [])
    }

    @Test func catchingWithALiveRecovery() {
        let check = ContractCheck("catch live", inputs: 2) { sources in
            let recovery = sources[1]
            return sources[0].catch { _ in recovery }
        }
        #expect(check.violations() == [])
    }

    @Test func replacingTheFailure() {
        #expect(ContractCheck("replaceError") { $0[0].replaceError(with: 0) }.violations() == [])
    }

    @Test func retrying() {
        let check = ContractCheck("retry(2)", except: Self.keepsItsSource) { $0[0].retry(2) }
        #expect(check.violations() == [])
    }

    @Test func retryingForEver() {
        let except = Self.keepsItsSource.merging(
            [.failingFirst: Self.endless, .failingMidway: Self.endless, .endsOnTwoThreads: Self.endless]
        ) { $1 }
        #expect(ContractCheck("retryForever", except: except) { $0[0].retryForever() }.violations() == [])
    }

    @Test func retryingWhenTold() {
        let check = ContractCheck("retry(when:)", except: Self.keepsItsSource) { sources in
            sources[0].retry(when: { failures in failures.take(first: 2) })
        }
        #expect(check.violations() == [])
    }

    @Test func repeating() {
        let check = ContractCheck("repeat(2)", except: Self.keepsItsSource) { $0[0].repeat(2) }
        #expect(check.violations() == [])
    }

    @Test func repeatingForEver() {
        let check = ContractCheck("repeatForever, some", except: Self.keepsItsSource) {
            $0[0].repeatForever().take(first: 3)
        }
        let complaints = check.violations(
            except: [
                .empty, .one, .many, .freedByItsEnd, .endingInsideCallback, .subscribingInsideCallback,
                .endsOnTwoThreads,
            ]
        )
        #expect(complaints == [])
    }
}

extension ContractCheck {
    /// Leaves out the checks that would not return.
    fileprivate func violations(except left: Set<ContractPromise>) -> [String] {
        ContractPromise.allCases.filter { !left.contains($0) }.flatMap { violations(of: $0) }
    }
}
