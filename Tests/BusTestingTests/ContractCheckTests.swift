import Bus
import BusTesting
import Testing

@Suite("The contract check finds what is broken")
struct ContractCheckTests {
    @Test func aSoundOperatorPasses() {
        #expect(ContractCheck("rogue") { Rogue(upstream: $0[0], fault: .none) }.violations() == [])
    }

    @Test(arguments: [
        (Rogue.Fault.swallowsEnd, "no end was heard"),
        (.ignoresDisposal, "it went on"),
        (.ignoresStop, "more values came"),
        (.keepsChain, "outlived"),
        (.swallowsValues, "nothing passed"),
    ])
    func aFaultIsNamed(_ fault: Rogue.Fault, _ words: String) {
        let found = ContractCheck("rogue") { Rogue(upstream: $0[0], fault: fault) }.violations()
        #expect(found.contains { $0.contains(words) }, "\(found)")
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

/// An operator that breaks one promise.
struct Rogue: Signal {
    typealias Value = Int
    typealias Failure = TestFailure

    enum Fault: Sendable { case none, swallowsEnd, ignoresDisposal, ignoresStop, keepsChain, swallowsValues }

    let upstream: ProbeSource<Int, TestFailure>
    let fault: Fault

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == TestFailure {
        let handle = upstream.subscribe(RogueObserver(downstream: AnyObserver(observer), fault: fault))
        return fault == .ignoresDisposal ? ActionDisposable {} : handle
    }
}

private let kept = Lock<[@Sendable (Int) -> Demand]>([])

private struct RogueObserver: Observer, ~Copyable {
    private var downstream: AnyObserver<Int, TestFailure>
    private let fault: Rogue.Fault

    init(downstream: consuming AnyObserver<Int, TestFailure>, fault: Rogue.Fault) {
        if fault == .keepsChain {
            let forward = downstream.onNext
            kept.withLock { $0.append(forward) }
        }
        self.downstream = downstream
        self.fault = fault
    }

    mutating func next(_ value: Int) -> Demand {
        if fault == .swallowsValues { return .more }
        let demand = downstream.next(value)
        return fault == .ignoresStop ? .more : demand
    }

    mutating func lost(_ count: Int) { downstream.lost(count) }

    consuming func terminate(_ termination: Termination<TestFailure>) {
        if fault != .swallowsEnd { downstream.terminate(termination) }
    }

    var demand: Demand { downstream.demand }
}

/// Sends whenever it is told to, also while a value is being handled.
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
