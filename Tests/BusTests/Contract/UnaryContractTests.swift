import Bus
import BusTesting
import Testing

@Suite("Every operator with one source keeps the delivery contract")
struct UnaryContractTests {
    @Test(arguments: UnaryCase.all)
    func theContractCheckFindsNothing(_ operation: UnaryCase) {
        let check = ContractCheck(operation.description, except: operation.exceptions) { sources in
            let source = sources[0]
            return operation.build(
                operation.most == .max
                    ? source.eraseToAnySignal() : source.take(first: operation.most).eraseToAnySignal()
            )
        }
        #expect(check.violations() == [])
    }

    @Test func theSourcesThatWrapAnother() {
        #expect(ContractCheck("deferred") { sources in Signals.deferred { sources[0] } }.violations() == [])
        let using = ContractCheck("using") { sources in
            Signals.using({ 1 }, release: { _ in }, { _ in sources[0] })
        }
        #expect(using.violations() == [])
        let callback = ContractCheck("fromCallback", except: [.losses: "a callback has no word for them"]) { sources in
            let source = sources[0]
            return Signals.fromCallback(
                register: { handler in source.materialize().subscribe(next: handler) },
                unregister: { $0.dispose() }
            )
            .dematerialize()
        }
        #expect(callback.violations() == [])
    }
}
