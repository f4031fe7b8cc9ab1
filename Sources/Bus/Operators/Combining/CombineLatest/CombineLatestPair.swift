@frozen
@usableFromInline
struct CombineLatestPairSignal<First: Signal, Second: Signal>: Signal where First.Failure == Second.Failure {
    @usableFromInline typealias Value = (First.Value, Second.Value)
    @usableFromInline typealias Failure = First.Failure
    @usableFromInline let first: First
    @usableFromInline let second: Second

    @inlinable
    init(first: First, second: Second) {
        self.first = first
        self.second = second
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let values = LatestPair<First.Value, Second.Value>()
        let output = SerialObserver(LatestMachine(values, inputs: 2, downstream: observer))
        let sender = Sender(output)
        output.resources.add(first.subscribe(LatestInput(FirstOfPair(), output, sender)))
        if !output.isClosing {
            output.resources.add(second.subscribe(LatestInput(SecondOfPair(), output, sender)))
        }
        return output.handle
    }

    @usableFromInline static var chain: Chain { Chain(joining: [First.chain, Second.chain], by: "combineLatest") }
    @usableFromInline var chain: Chain { Chain(joining: [first.chain, second.chain], by: "combineLatest") }
}

/// The latest values of two inputs.
@frozen
@usableFromInline
struct LatestPair<First: Sendable, Second: Sendable>: LatestValues {
    @usableFromInline var first: First?
    @usableFromInline var second: Second?

    @inlinable
    init() {}

    @inlinable
    @inline(__always)
    mutating func lend(to body: ((First, Second)) -> Demand) -> Demand? {
        guard let first, let second else { return nil }
        return body((first, second))
    }
}

@frozen
@usableFromInline
struct FirstOfPair<First: Sendable, Second: Sendable>: LatestSlot {
    @inlinable
    init() {}

    @inlinable
    func put(_ value: First, in values: inout LatestPair<First, Second>) { values.first = value }

    @inlinable
    func isSilent(in values: LatestPair<First, Second>) -> Bool { values.first == nil }
}

@frozen
@usableFromInline
struct SecondOfPair<First: Sendable, Second: Sendable>: LatestSlot {
    @inlinable
    init() {}

    @inlinable
    func put(_ value: Second, in values: inout LatestPair<First, Second>) { values.second = value }

    @inlinable
    func isSilent(in values: LatestPair<First, Second>) -> Bool { values.second == nil }
}
