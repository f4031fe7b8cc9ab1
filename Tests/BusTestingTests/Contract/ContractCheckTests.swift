import Bus
import BusTesting
import Testing

@Suite("The contract check finds violations")
struct ContractCheckTests {
    @Test("sound operators pass")
    func sound() {
        #expect(ContractCheck("rogue") { Rogue(upstream: $0[0], fault: .none) }.violations() == [])
        #expect(ContractCheck("rogue merge", inputs: 2) { RogueMerge($0, fault: .none) }.violations() == [])
    }

    private static let rogues: [(Rogue.Fault, ContractPromise, String)] = [
        (Rogue.Fault.swallowsEnd, ContractPromise.empty, "no end was heard"),
        (.swallowsEnd, .one, "no end was heard"),
        (.swallowsEnd, .many, "no end was heard"),
        (.swallowsEnd, .endingInsideCallback, "no end was heard"),
        (.swallowsEnd, .subscribingInsideCallback, "no end"),
        (.hoards, .freedByItsEnd, "outlived its end"),
        (.swallowsFailure, .failingFirst, "no end was heard"),
        (.swallowsFailure, .failingMidway, "no end was heard"),
        (.swallowsValues, .many, "nothing passed"),
        (.holdsOn, .stopping, "still held when the stop was confirmed"),
        (.holdsOn, .synchronousSources, "still held after the end"),
        (.ignoresStop, .stopping, "more values came"),
        (.ignoresStop, .synchronousSources, "more values came"),
        (.ignoresDisposal, .disposalInsideCallback, "it went on"),
        (.ignoresDisposal, .disposalFromAnotherThread, "still holds"),
        (.ignoresDisposal, .freedByDisposal, "outlived its disposal"),
        (.keepsChain, .freedWithItsSources, "outlived its sources"),
        (.keepsChain, .freedByDisposal, "outlived its disposal"),
        (.flushesAtOnce, .many, "completed while the observer paused: 1 values came"),
        (.ignoresPauses, .pausing, "came while the observer paused"),
        (.ignoresPauses, .resuming, "came while the observer paused"),
        (.callsNobodyBack, .resuming, "were not called back"),
        (.callsBackTwice, .resuming, "called back more than once"),
        (.dropsWhilePausing, .resuming, "heard 1 values and losses, and one that does not heard 6"),
        (.keepsChain, .disposalWhilePausing, "while the observer paused"),
        (.swallowsLosses, .losses, "said that 0 were"),
        (.countsForAll, .independence, "a second subscription heard"),
        (.servesOne, .subscribingInsideCallback, "made inside a callback heard no end"),
        (.servesOne, .independence, "a second subscription heard []"),
        (.anonymous, .description, "name of its type"),
        (.blank, .description, "leaves out a name"),
    ]

    @Test("a fault of an operator with one source is named", arguments: rogues)
    func faults(_ fault: Rogue.Fault, _ promise: ContractPromise, _ words: String) {
        let check = ContractCheck("rogue") { Rogue(upstream: $0[0], fault: fault) }
        let found = check.violations(of: promise)
        #expect(found.contains { $0.contains(words) }, "\(found)")
        #expect(check.violations().contains { $0.hasPrefix("rogue: ") && $0.contains(words) })
    }

    private static let rogueMerges: [(RogueMerge.Fault, ContractPromise, String)] = [
        (RogueMerge.Fault.overlaps, ContractPromise.sendingInsideCallback, "came during another event"),
        (.releasesLate, .failingFirst, "still held when the end was heard"),
        (.releasesLate, .failingMidway, "still held when the end was heard"),
        (.locksWhileCalling, .sendingInsideCallback, "a deadlock"),
        (.locksWhileCalling, .endingInsideCallback, "a deadlock"),
        (.forgetsEndsInsideCallbacks, .endingInsideCallback, "completed inside a callback, no end was heard"),
        (.isConfusedByTwoThreads, .sendersOnTwoThreads, "no end was heard"),
        (.isConfusedByTwoThreads, .endsOnTwoThreads, "no end was heard"),
        (.isConfusedByTwoThreads, .endingInsideCallback, "on another thread during a callback, no end was heard"),
        (.callsOneBack, .resuming, "1 sources that were told to pause were not called back"),
    ]

    @Test("a fault of an operator with two sources is named", arguments: rogueMerges)
    func faultsOfTwo(_ fault: RogueMerge.Fault, _ promise: ContractPromise, _ words: String) {
        let build: @Sendable ([ProbeSource<Int, TestFailure>]) -> RogueMerge = { RogueMerge($0, fault: fault) }
        // A deadlock lasts for ever, so any patience gives the same verdict.
        let check =
            fault == .locksWhileCalling
            ? ContractCheck("rogue", inputs: 2, patience: .milliseconds(100), build)
            : ContractCheck("rogue", inputs: 2, build)
        let found = check.violations(of: promise)
        #expect(found.contains { $0.contains(words) }, "\(found)")
    }

    @Test("an operator may pause the source that is ahead until the other has sent more")
    func ahead() {
        let check = ContractCheck("pairs", inputs: 2) { $0[0].zip($0[1].filter { $0 % 2 == 0 }, limit: 2) }
        #expect(check.violations(of: .resuming) == [])
    }

    @Test("an operator that holds too much while its observer pauses is named; within its bound it is not")
    func unbounded() {
        let check = ContractCheck("hoard", bound: 100) { $0[0].deliver(on: ImmediateScheduler(), limit: 1000) }
        let found = check.violations(of: .pausing)
        #expect(found == ["while the observer paused it held 101 values, and did not tell its sources to pause"])
        let bounded = ContractCheck("queue", bound: 100) { $0[0].deliver(on: ImmediateScheduler(), limit: 100) }
        #expect(bounded.violations(of: .pausing) == [])
        let losing = ContractCheck("loss", bound: 100) {
            $0[0].deliver(on: ImmediateScheduler(), limit: 10, overflow: .dropOldest)
        }
        #expect(losing.violations(of: .pausing) == [])
    }

    @Test("every promise is broken by a rogue")
    func everyPromise() {
        let broken = Set(Self.rogues.map(\.1) + Self.rogueMerges.map(\.1))
        #expect(Set(ContractPromise.allCases).subtracting(broken) == [])
    }

    @Test("a promise that is not made is left out, and reported if it is kept anyway")
    func exceptions() {
        let excused = ContractCheck("rogue", except: [.losses: "it has none"]) {
            Rogue(upstream: $0[0], fault: .swallowsLosses)
        }
        #expect(excused.violations() == [])
        let needless = ContractCheck("rogue", except: [.losses: "it has none"]) {
            Rogue(upstream: $0[0], fault: .none)
        }
        #expect(needless.violations() == ["rogue: losses is left out (it has none), and kept nevertheless"])
    }

    @Test("promises that cannot be tested are skipped")
    func endless() {
        let check = ContractCheck("endless", except: [.empty: "it starts again for ever"]) { sources in
            Signals.create(of: Int.self, failure: TestFailure.self) { _ in
                sources[0].subscribe(
                    next: { _ in },
                    failed: { _ in },
                    completed: { preconditionFailure("it was tried") }
                )
            }
        }
        #expect(check.violations(of: .empty) == [])
    }

    @Test func overlappingCallsAreNoticed() {
        let source = Overlapping()
        let recorder = Recorder(source) { value in
            if value == 1 { source.send(2) }
            return .more
        }
        source.send(1)
        #expect(recorder.violations == ["next(2) came during another event"])
        source.forget()
    }
}

/// Sends whenever it is told to, even while a value is being handled.
private final class Overlapping: Signal {
    typealias Value = Int
    typealias Failure = Never
    private let forward = Lock<(@Sendable (Int) -> Demand)?>(nil)

    /// The recorder's closure holds this source, which holds the recorder.
    func forget() { forward.withLock { $0 = nil } }

    func send(_ value: Int) { _ = forward.withLock { $0 }?(value) }

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == Never {
        let next = AnyObserver(observer).onNext
        forward.withLock { $0 = next }
        return FinishedDisposable()
    }
}
