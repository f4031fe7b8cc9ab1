/// Writes the values of a signal. It does not keep the owner of the value alive.
struct CurrentValueWriter<Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    private let core: CurrentValueCore<Value, Never>
    /// Whether the value ends with the signal.
    private let isWhole: Bool

    init(_ core: CurrentValueCore<Value, Never>, endsWithSignal isWhole: Bool = true) {
        self.core = core
        self.isWhole = isWhole
    }

    mutating func next(_ value: Value) -> Demand {
        core.write(value)
        return demand
    }

    mutating func lost(_ count: Int) { core.output.lost(count) }

    consuming func terminate(_ termination: Termination<Never>) {
        if isWhole { core.terminate(termination) }
    }

    var demand: Demand { core.output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { core.output.whenReady(resume) }
}
