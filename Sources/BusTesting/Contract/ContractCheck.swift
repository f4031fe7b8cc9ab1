public import Bus

/// Runs an operator through the delivery contract and says what it broke.
///
/// The operator is given one or more sources and must let at least the first value of some of them through, in one
/// form or another. An operator that hears its source on another thread gives `settle`, which returns when all that
/// was sent has been delivered.
public struct ContractCheck<Output: Signal>: Sendable {
    public typealias Source = ProbeSource<Int, TestFailure>

    let name: String
    let inputs: Int
    let settle: @Sendable () -> Void
    let build: @Sendable ([Source]) -> Output

    /// - Parameters:
    ///   - name: what violations are reported under.
    ///   - inputs: how many sources the operator is built over.
    ///   - settle: returns when everything sent so far has been delivered.
    ///   - build: applies the operator.
    public init(
        _ name: String,
        inputs: Int = 1,
        settle: @escaping @Sendable () -> Void = {},
        _ build: @escaping @Sendable ([Source]) -> Output
    ) {
        self.name = name
        self.inputs = inputs
        self.settle = settle
        self.build = build
    }

    /// Every breach found, in words; empty when the contract is kept.
    public func violations() -> [String] {
        let found =
            completion() + failure() + stopping() + disposalInsideCallback() + disposalFromOutside()
            + reentrancy() + concurrentSenders() + freedByDisposal() + freedWithItsSources()
        return found.map { "\(name): \($0)" }
    }

    func makeSources() -> [Source] {
        (0..<inputs).map { _ in Source() }
    }

    func live(_ sources: [Source]) -> Int {
        sources.reduce(0) { $0 + $1.liveSubscriptions }
    }

    func expect(_ condition: Bool, _ breach: @autoclosure () -> String) -> [String] {
        condition ? [] : [breach()]
    }
}
