public import Bus

/// Checks an operator against the delivery contract and reports the promises that it broke.
///
/// The operator is built anew for each ``ContractPromise``, over sources of numbers that the check sends into,
/// completes and fails. It must send something: a value while values come, or when its sources complete. An operator
/// that hears its source on another thread or at another time gives `settle`, which returns when everything sent has
/// been delivered, or waits for an observer that pauses.
///
/// Some operators cannot keep a promise because of their meaning (a `retry` does not end with its source's failure).
/// Leave such a promise out by naming it in `except`, with the reason. A promise that is left out and kept
/// nevertheless is reported, so that no reason outlives its cause.
public struct ContractCheck<Output: Signal>: Sendable {
    /// A source that the operator is built over: it sends numbers, and can fail with a ``TestFailure``.
    public typealias Source = ProbeSource<Int, TestFailure>

    let name: String
    let inputs: Int
    let exceptions: [ContractPromise: String]
    let bound: Int
    let patience: Duration
    let settle: @Sendable () -> Void
    let build: @Sendable ([Source]) -> Output

    /// - Parameters:
    ///   - name: the operator's name in the report.
    ///   - inputs: how many sources the operator is built over.
    ///   - exceptions: promises that the operator does not give, and the reasons.
    ///   - bound: how many values the operator may hold while its observer pauses, before it pauses its sources or
    ///     loses some.
    ///   - patience: how long a promise may take, on a thread of its own, before that counts as a deadlock. A promise takes
    ///     milliseconds; ten minutes is long enough for any machine, however busy.
    ///   - settle: returns when everything sent so far has been delivered, or waits for an observer that pauses.
    ///   - build: applies the operator.
    public init(
        _ name: String,
        inputs: Int = 1,
        except exceptions: [ContractPromise: String] = [:],
        bound: Int = 4096,
        patience: Duration = .seconds(600),
        settle: @escaping @Sendable () -> Void = {},
        _ build: @escaping @Sendable ([Source]) -> Output
    ) {
        self.name = name
        self.inputs = inputs
        self.exceptions = exceptions
        self.bound = bound
        self.patience = patience
        self.settle = {
            DeliveryThread.settle()
            settle()
        }
        self.build = build
    }

    /// Every breach found, in words; empty when the contract is kept.
    public func violations() -> [String] {
        ContractPromise.allCases.flatMap(violations).map { "\(name): \($0)" }
    }

    package func violations(of promise: ContractPromise) -> [String] {
        if exceptions[promise] != nil, !promise.isDeterministic { return [] }
        // A promise that is not given may be one that must not even be tried, an endless retry for example.
        let isEndless = exceptions[promise] != nil && Self.mayNotReturn.contains(promise)
        guard !isEndless else { return [] }

        let found = watched(patience) { self.check(promise) }
        guard let found else { return ["\(promise.rawValue): it did not return within \(patience): a deadlock"] }
        guard let reason = exceptions[promise] else { return found }
        return expect(!found.isEmpty, "\(promise.rawValue) is left out (\(reason)), and kept nevertheless")
    }

    private static var mayNotReturn: Set<ContractPromise> {
        [.empty, .one, .many, .failingFirst, .failingMidway, .synchronousSources, .endingInsideCallback]
    }

    private func check(_ promise: ContractPromise) -> [String] {
        switch promise {
        case .empty: endings(0, "completion") { $0.complete() }
        case .one: endings(1, "completion") { $0.complete() }
        case .many: endings(3, "completion") { $0.complete() } + endingWhilePausing()
        case .failingFirst: endings(0, "failure") { $0.fail("end") }
        case .failingMidway: endings(3, "failure") { $0.fail("end") }
        case .stopping: stopping()
        case .synchronousSources: synchronousSources()
        case .endingInsideCallback: endingInsideCallback() + endingBesideCallback()
        case .disposalInsideCallback: disposalInsideCallback() + disposalInsideLoss()
        case .disposalFromAnotherThread: disposalFromAnotherThread()
        case .sendersOnTwoThreads: sendersOnTwoThreads()
        case .endsOnTwoThreads: endsOnTwoThreads()
        case .sendingInsideCallback: sendingInsideCallback()
        case .subscribingInsideCallback: subscribingInsideCallback()
        case .pausing: pausing()
        case .resuming: resuming()
        case .disposalWhilePausing: disposalWhilePausing()
        case .losses: losses()
        case .independence: independence()
        case .freedByDisposal: freedByDisposal()
        case .freedByItsEnd: freedByItsEnd()
        case .freedWithItsSources: freedWithItsSources()
        case .description: description()
        }
    }

    // MARK: Shared helpers

    func makeSources(opening: [Event<Int, TestFailure>] = []) -> [Source] {
        (0..<inputs).map { _ in Source(opening: opening) }
    }

    func live(_ sources: [Source]) -> Int {
        sources.reduce(0) { $0 + $1.liveSubscriptions }
    }

    /// Sends each value into all sources, one source after the other.
    func send(_ values: ClosedRange<Int>, into sources: [Source]) {
        for value in values {
            for source in sources { source.send(value) }
        }
        settle()
    }

    func complete(_ sources: [Source]) {
        for source in sources { source.complete() }
        settle()
    }

    func expect(_ condition: Bool, _ breach: @autoclosure () -> String) -> [String] {
        condition ? [] : [breach()]
    }
}
