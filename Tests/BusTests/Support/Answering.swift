import Bus

/// An observer made of closures, for answers that no observer of the library gives.
struct AnsweringObserver<Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    var onNext: @Sendable (Value) -> Demand = { _ in .more }
    var onLoss: @Sendable (Int) -> Void = { _ in }
    var onEnd: @Sendable () -> Void = {}
    var onDemand: @Sendable () -> Demand = { .more }
    var onWait: @Sendable (@escaping @Sendable () -> Void) -> Demand = { _ in .more }

    mutating func next(_ value: Value) -> Demand { onNext(value) }

    mutating func lost(_ count: Int) { onLoss(count) }

    consuming func terminate(_ termination: Termination<Never>) { onEnd() }

    var demand: Demand { onDemand() }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { onWait(resume) }
}
