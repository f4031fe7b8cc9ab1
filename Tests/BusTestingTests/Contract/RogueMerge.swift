import Bus
import BusTesting

/// A merge that breaks one promise.
struct RogueMerge: Signal {
    typealias Value = Int
    typealias Failure = TestFailure

    enum Fault: Sendable {
        case none, overlaps, releasesLate, locksWhileCalling, forgetsEndsInsideCallbacks, isConfusedByTwoThreads
        case callsOneBack
    }

    let upstreams: [ProbeSource<Int, TestFailure>]
    let fault: Fault

    init(_ upstreams: [ProbeSource<Int, TestFailure>], fault: Fault) {
        self.upstreams = upstreams
        self.fault = fault
    }

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == TestFailure {
        let run = RogueRun(AnyObserver(observer), fault: fault, inputs: upstreams.count)
        for (index, upstream) in upstreams.enumerated() {
            let forgetsPauses = fault == .callsOneBack && index > 0
            let handle = upstream.subscribe(RogueInput(run: run, forgetsPauses: forgetsPauses))
            if fault != .releasesLate { run.output.resources.add(handle) }
        }
        return run.output.handle
    }

    var chain: Chain { Chain(joining: upstreams.map(\.chain), by: "rogue") }
}

private final class RogueRun: Sendable {
    private struct State {
        var unfinished: Int
        var isInCallback = false
        var thread: UInt?
        var isConfused = false
    }

    let output: SerialObserver<AnyObserver<Int, TestFailure>>
    private let raw: @Sendable (Int) -> Demand
    private let fault: RogueMerge.Fault
    private let state: Lock<State>
    private let section = Lock(())

    init(_ observer: consuming AnyObserver<Int, TestFailure>, fault: RogueMerge.Fault, inputs: Int) {
        raw = observer.onNext
        output = SerialObserver(observer)
        self.fault = fault
        state = Lock(State(unfinished: inputs))
    }

    deinit {
        output.abandon()
    }

    func next(_ value: Int) -> Demand {
        lookAtThread()
        switch fault {
        case .overlaps: return raw(value)
        case .locksWhileCalling: return section.withLock { _ in output.next(value) }
        default:
            state.withLock { $0.isInCallback = true }
            defer { state.withLock { $0.isInCallback = false } }
            return output.next(value)
        }
    }

    func terminate(_ termination: Termination<TestFailure>) {
        lookAtThread()
        let (isInCallback, isConfused) = state.withLock { ($0.isInCallback, $0.isConfused) }
        if fault == .isConfusedByTwoThreads, isConfused { return }
        if fault == .forgetsEndsInsideCallbacks, isInCallback { return }
        if fault == .locksWhileCalling { section.withLock { _ in } }
        let isLast = state.withLock { state in
            state.unfinished -= 1
            return state.unfinished == 0
        }
        if isLast || termination != .completed || output.isClosing { output.terminate(termination) }
    }

    private func lookAtThread() {
        state.withLock { state in
            if state.thread ?? pthreadSelf() != pthreadSelf() { state.isConfused = true }
            state.thread = state.thread ?? pthreadSelf()
        }
    }
}

private struct RogueInput: Observer, ~Copyable {
    let run: RogueRun
    let forgetsPauses: Bool

    mutating func next(_ value: Int) -> Demand { run.next(value) }

    mutating func lost(_ count: Int) { run.output.lost(count) }

    consuming func terminate(_ termination: Termination<TestFailure>) { run.terminate(termination) }

    var demand: Demand { run.output.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        forgetsPauses ? run.output.demand : run.output.whenReady(resume)
    }
}
