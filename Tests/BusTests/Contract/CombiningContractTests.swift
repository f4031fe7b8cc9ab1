import Bus
import BusTesting
import Testing

@Suite("Operators over several signals keep the delivery contract")
struct CombiningContractTests {
    @Test func combineLatest() {
        #expect(ContractCheck("combineLatest two", inputs: 2) { $0[0].combineLatest($0[1]) }.violations() == [])
        #expect(ContractCheck("combineLatest list", inputs: 3) { Signals.combineLatest($0) }.violations() == [])
        #expect(
            ContractCheck("combineLatest pack", inputs: 2) { Signals.combineLatest($0[0], $0[1]) }.violations() == []
        )
    }

    @Test func zip() {
        let except = [
            ContractPromise.losses: "a loss is heard where its tuple would have been, once the partners are there"
        ]
        // Two threads send into one input after the other. These threads may be blocked, so nothing is lost.
        #expect(
            ContractCheck("zip two", inputs: 2, except: except) { $0[0].zip($0[1], limit: 4096) }.violations() == []
        )
        #expect(
            ContractCheck("zip list", inputs: 2, except: except) { Signals.zip($0, limit: 4096) }.violations() == []
        )
        #expect(
            ContractCheck("zip pack", inputs: 2, except: except) { Signals.zip($0[0], $0[1], limit: 4096) }.violations()
                == []
        )
    }

    @Test func mergeOfMany() {
        #expect(ContractCheck("merge variadic", inputs: 2) { Signals.merge($0[0], $0[1]) }.violations() == [])
        #expect(ContractCheck("merge list", inputs: 3) { Signals.merge($0) }.violations() == [])
    }

    @Test func concat() {
        #expect(ContractCheck("concat list", inputs: 3) { Signals.concat($0) }.violations() == [])
        #expect(ContractCheck("concat variadic", inputs: 2) { Signals.concat($0[0], $0[1]) }.violations() == [])
    }

    @Test func race() {
        #expect(ContractCheck("race two", inputs: 2) { $0[0].race($0[1]) }.violations() == [])
        #expect(ContractCheck("race list", inputs: 3) { Signals.race($0) }.violations() == [])
    }

    @Test func thenPrependAppend() {
        let then = ContractCheck("then", inputs: 2, except: [.losses: "the first signal is over, its values ignored"]) {
            $0[0].take(first: 1).then($0[1])
        }
        #expect(then.violations() == [])
        #expect(ContractCheck("prepend") { $0[0].prepend(0) }.violations() == [])
        #expect(ContractCheck("append") { $0[0].append(9) }.violations() == [])
    }

    @Test func booleans() {
        let check = ContractCheck("and or not", inputs: 2) { sources in
            let positive = sources[0].map { $0 > 0 }
            let small = sources[1].map { $0 < 100 }
            return positive.and(small).or(small).not()
        }
        #expect(check.violations() == [])
    }

    @Test func conditions() {
        let condition = ContractCheck("if", inputs: 2) { sources in
            Signals.if(sources[0].map { $0 > 0 }, then: sources[1], else: sources[1].map { -$0 })
        }
        #expect(condition.violations() == [])
        let choice = ContractCheck("switch", inputs: 2) { sources in
            Signals.switch(on: sources[0], cases: [1: sources[1], 2: sources[1]], default: sources[1].map { -$0 })
        }
        #expect(choice.violations() == [])
    }

    @Test func withLatest() {
        let check = ContractCheck("withLatest(from:)") {
            $0[0].withLatest(from: Signals.just(1).concat(Signals.never()))
        }
        #expect(check.violations() == [])
    }

    @Test func sample() {
        let check = ContractCheck("sample(when:)") { sources in
            // Sampled by itself, and merged with itself, so that a failure is heard in whatever order it arrives.
            sources[0].sample(when: sources[0].replacingFailure()).merge(sources[0])
        }
        #expect(check.violations() == [])
    }

    @Test func takeUntilReplacement() {
        let check = ContractCheck(
            "take(untilReplacement:)",
            inputs: 2,
            except: [.losses: "the first signal has been replaced"]
        ) { $0[0].take(untilReplacement: $0[1]) }
        #expect(check.violations() == [])
    }

    @Test func skipUntil() {
        #expect(ContractCheck("skip(until:)") { $0[0].skip(until: Signals.just(1)) }.violations() == [])
    }

    @Test(arguments: [
        FlattenStrategy.merge, .merge(maxConcurrent: 2), .concat, .latest, .first, .race,
    ])
    func flatMapOfSynchronousSignals(strategy: FlattenStrategy) {
        var exceptions = exceptions(strategy)
        if strategy == .first {
            exceptions[.resuming] = "it leaves out the values that come while it follows one, which a pause prolongs"
        }
        let check = ContractCheck("flatMap(.\(strategy)) just", except: exceptions) { sources in
            sources[0].flatMap(strategy) { Signals.just($0, failure: TestFailure.self) }
        }
        // By its meaning, the race ends with its first winner.
        #expect(check.violations() == [])
    }

    @Test(arguments: [
        FlattenStrategy.merge, .merge(maxConcurrent: 2), .concat, .latest, .first, .race,
    ])
    func flatMapOfLiveSignals(strategy: FlattenStrategy) {
        let check = ContractCheck("flatMap(.\(strategy)) live", inputs: 2, except: exceptions(strategy)) { sources in
            let inner = sources[1]
            return sources[0].take(first: 3).flatMap(strategy) { _ in inner }
        }
        #expect(check.violations() == [])
    }

    private func exceptions(_ strategy: FlattenStrategy) -> [ContractPromise: String] {
        strategy == .race ? [.losses: "what the outer signal lost would have been one contender more"] : [:]
    }
}

extension Signal {
    /// Only for inputs that cannot fail: completes instead of failing.
    fileprivate func replacingFailure() -> some Signal<Value, Never> {
        let source = self
        return Signals.create(of: Value.self) { emitter in
            source.subscribe(
                next: { emitter.send($0) },
                failed: { _ in emitter.complete() },
                completed: { emitter.complete() }
            )
        }
    }
}
