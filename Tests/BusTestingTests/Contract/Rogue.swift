import Bus
import BusTesting

/// An operator with one source that breaks one promise.
struct Rogue: Signal {
    typealias Value = Int
    typealias Failure = TestFailure

    enum Fault: Sendable {
        case none, swallowsEnd, swallowsFailure, swallowsValues, holdsOn, ignoresStop, ignoresDisposal, keepsChain,
            hoards
        case swallowsLosses, countsForAll, servesOne, anonymous, blank
        case ignoresPauses, callsNobodyBack, callsBackTwice, flushesAtOnce, dropsWhilePausing
    }

    let upstream: ProbeSource<Int, TestFailure>
    let fault: Fault
    private let shared = Lock((subscriptions: 0, values: 0))

    init(upstream: ProbeSource<Int, TestFailure>, fault: Fault) {
        self.upstream = upstream
        self.fault = fault
    }

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == TestFailure {
        let number = shared.withLock { shared in
            shared.subscriptions += 1
            return shared.subscriptions
        }
        if fault == .servesOne, number > 1 { return ActionDisposable {} }
        if fault == .holdsOn { _ = upstream.subscribe(next: { _ in }, failed: { _ in }) }
        let (fault, shared) = (fault, shared)
        let change = { @Sendable (value: Int) in
            fault == .countsForAll
                ? shared.withLock { shared in
                    shared.values += 1
                    return shared.values
                } : value
        }
        let handle = upstream.subscribe(
            RogueObserver(downstream: AnyObserver(observer), fault: fault, change: change)
        )
        return fault == .ignoresDisposal ? ActionDisposable {} : handle
    }

    var chain: Chain {
        switch fault {
        case .anonymous: Chain(source: "Rogue")
        case .blank: upstream.chain.appending("")
        default: upstream.chain.appending("rogue")
        }
    }
}

private let kept = Lock<[@Sendable (Int) -> Demand]>([])

private struct RogueObserver: Observer, ~Copyable {
    private var downstream: AnyObserver<Int, TestFailure>
    private let fault: Rogue.Fault
    private let change: @Sendable (Int) -> Int

    init(
        downstream: consuming AnyObserver<Int, TestFailure>,
        fault: Rogue.Fault,
        change: @escaping @Sendable (Int) -> Int
    ) {
        if fault == .keepsChain || fault == .hoards {
            let forward = downstream.onNext
            kept.withLock { $0.append(forward) }
        }
        self.downstream = downstream
        self.fault = fault
        self.change = change
    }

    mutating func next(_ value: Int) -> Demand {
        if fault == .swallowsValues { return .more }
        if fault == .dropsWhilePausing, downstream.demand == .pause { return .more }
        let demand = downstream.next(change(value))
        switch (fault, demand) {
        case (.ignoresStop, _), (.ignoresPauses, .pause), (.dropsWhilePausing, .pause): return .more
        default: return demand
        }
    }

    mutating func lost(_ count: Int) {
        if fault != .swallowsLosses { downstream.lost(count) }
    }

    consuming func terminate(_ termination: Termination<TestFailure>) {
        switch (fault, termination) {
        case (.swallowsEnd, _), (.swallowsFailure, .failed), (.hoards, _): break
        case (.flushesAtOnce, _):
            _ = downstream.next(0)
            downstream.terminate(termination)
        default: downstream.terminate(termination)
        }
    }

    var demand: Demand {
        let demand = downstream.demand
        return fault == .dropsWhilePausing && demand == .pause ? .more : demand
    }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        switch fault {
        case .callsNobodyBack: return .pause
        case .callsBackTwice:
            return downstream.whenReady {
                resume()
                resume()
            }
        default: return downstream.whenReady(resume)
        }
    }
}
