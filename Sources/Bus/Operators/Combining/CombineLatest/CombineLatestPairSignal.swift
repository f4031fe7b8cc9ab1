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

    @usableFromInline var chain: Chain { Chain(joining: [first.chain, second.chain], by: "combineLatest") }
}
