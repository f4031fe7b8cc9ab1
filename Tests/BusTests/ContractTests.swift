import Bus
import BusTesting
import Testing

@Suite("Every operator keeps the delivery contract")
struct ContractTests {
    @Test func subject() {
        #expect(ContractCheck("subject") { $0[0] }.violations() == [])
    }

    @Test func erasure() {
        #expect(ContractCheck("AnySignal") { $0[0].eraseToAnySignal() }.violations() == [])
    }

    @Test func map() {
        #expect(ContractCheck("map") { $0[0].map { $0 * 2 } }.violations() == [])
    }

    @Test func filter() {
        #expect(ContractCheck("filter") { $0[0].filter { $0 > 0 } }.violations() == [])
    }

    @Test func compactMap() {
        #expect(ContractCheck("compactMap") { $0[0].compactMap { $0 > 0 ? "\($0)" : nil } }.violations() == [])
    }

    @Test func mapError() {
        #expect(ContractCheck("mapError") { $0[0].mapError { $0 } }.violations() == [])
    }

    @Test func scan() {
        #expect(ContractCheck("scan") { $0[0].scan(0) { $0 &+ $1 } }.violations() == [])
    }

    @Test func takeFirst() {
        #expect(ContractCheck("take(first:)") { $0[0].take(first: 2) }.violations() == [])
        #expect(ContractCheck("take(first:) many") { $0[0].take(first: 1_000_000) }.violations() == [])
    }

    @Test func skipFirst() {
        #expect(ContractCheck("skip(first:)") { $0[0].skip(first: 1) }.violations() == [])
    }

    @Test func takeUntil() {
        let check = ContractCheck("take(until:)", inputs: 1) { sources in
            sources[0].take(until: Signals.never(Int.self))
        }
        #expect(check.violations() == [])
    }

    @Test func takeUntilOfALiveTrigger() {
        let trigger = Subject(of: Int.self)
        let check = ContractCheck("take(until:) subject") { sources in
            sources[0].take(until: trigger)
        }
        #expect(check.violations() == [])
    }

    @Test func merge() {
        #expect(ContractCheck("merge", inputs: 2) { Signals.merge($0) }.violations() == [])
        #expect(ContractCheck("merge two", inputs: 2) { $0[0].merge($0[1]) }.violations() == [])
    }

    @Test func concat() {
        #expect(ContractCheck("concat", inputs: 2) { $0[0].concat($0[1]) }.violations() == [])
    }

    @Test func flatMapOfSynchronousSignals() {
        let check = ContractCheck("flatMap just") { sources in
            sources[0].flatMap { Signals.just($0, failure: TestFailure.self) }
        }
        #expect(check.violations() == [])
    }

    @Test func flatMapOfLiveSignals() {
        let check = ContractCheck("flatMap live", inputs: 2) { sources in
            let inner = sources[1]
            return sources[0].take(first: 3).flatMap { _ in inner }
        }
        #expect(check.violations() == [])
    }

    @Test func flatMapOneAtATime() {
        let check = ContractCheck("flatMap(.concat)") { sources in
            sources[0].flatMap(.concat) { Signals.just($0, failure: TestFailure.self) }
        }
        #expect(check.violations() == [])
    }

    @Test func deliverOnImmediate() {
        #expect(ContractCheck("deliver(on: immediate)") { $0[0].deliver(on: ImmediateScheduler()) }.violations() == [])
    }

    @Test func deliverOnThread() {
        let thread = ThreadScheduler(name: "contract")
        let check = ContractCheck("deliver(on: thread)", settle: { thread.settle() }) { sources in
            sources[0].deliver(on: thread, limit: 2_048)
        }
        #expect(check.violations() == [])
    }

    @Test func create() {
        let check = ContractCheck("create") { sources in
            let source = sources[0]
            return Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
                source.subscribe(
                    next: { emitter.send($0) },
                    failed: { emitter.fail($0) },
                    completed: { emitter.complete() },
                    lost: { emitter.sendLoss(of: $0) }
                )
            }
        }
        #expect(check.violations() == [])
    }
}
