import Bus
import BusTesting
import Testing

@Suite("Shared and stateful signals keep the delivery contract")
struct StateContractTests {
    @Test func autoconnect() {
        #expect(ContractCheck("publish autoconnect") { $0[0].publish().autoconnect() }.violations() == [])
    }

    @Test func autoconnectReplaying() {
        let check = ContractCheck(
            "multicast into a replay subject",
            except: [.independence: "a late subscriber hears what was kept"]
        ) {
            $0[0].multicast(into: ReplaySubject(failure: TestFailure.self, capacity: 4)).autoconnect()
        }
        #expect(check.violations() == [])
    }

    @Test func share() {
        #expect(ContractCheck("share") { $0[0].share() }.violations() == [])
        #expect(ContractCheck("share forever") { $0[0].share(while: .forever) }.violations() == [])
    }

    @Test(arguments: [ShareScope.whileConnected, .forever])
    func shareReplaying(scope: ShareScope) {
        let check = ContractCheck(
            "share(replay: 2) \(scope)",
            except: [.independence: "a late subscriber hears what was kept"]
        ) { $0[0].share(replay: 2, while: scope) }
        #expect(check.violations() == [])
    }

    @Test func replay() {
        let exceptions = [ContractPromise.independence: "a late subscriber hears what was kept"]
        #expect(ContractCheck("replay", except: exceptions) { $0[0].replay(capacity: 2) }.violations() == [])
        #expect(ContractCheck("replayLast", except: exceptions) { $0[0].replayLast() }.violations() == [])
        let lazy = ContractCheck("replayLazily", except: exceptions) { $0[0].replayLazily(capacity: 2) }
        #expect(lazy.violations() == [])
    }

    @Test func takeDuring() {
        let check = ContractCheck("take(during:)") { sources in
            let token = Lifetime.Token()
            // The token lives as long as the signal.
            return sources[0].map { value in
                withExtendedLifetime(token) { value }
            }.take(during: token.lifetime)
        }
        #expect(check.violations() == [])
    }

    @Test func aPropertyThatFollows() {
        let check = ContractCheck(
            "Property(initial:then:)",
            except: [
                .independence: "a late subscriber hears the present value",
                .stopping: "the property follows on for who reads it",
                .many: "the property follows on for who reads it",
                .pausing: "the property follows on for who reads it",
                .resuming: "the property follows on for who reads it",
            ]
        ) { Property(initial: .next(-1), then: $0[0].materialize()).values }
        #expect(check.violations() == [])
    }
}
