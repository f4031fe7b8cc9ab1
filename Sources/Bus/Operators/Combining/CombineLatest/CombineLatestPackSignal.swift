/// Signals of different types, erased.
@usableFromInline
struct CombineLatestPackSignal<each Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Value = (repeat each Element)
    private let signals: (repeat AnySignal<each Element, Failure>)

    @usableFromInline
    init(_ signals: repeat AnySignal<each Element, Failure>) {
        self.signals = (repeat each signals)
    }

    /// The signal. It takes only erased observers: erasing them here as well would cost each event a second closure
    /// whose types are looked up.
    @usableFromInline
    var erased: AnySignal<Value, Failure> { AnySignal(start: { start($0) }, describe: { chain }) }

    private func start(_ observer: consuming AnyObserver<Value, Failure>) -> any Disposable {
        var inputs = 0
        for _ in repeat each signals { inputs += 1 }
        guard inputs > 0 else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let memory = TupleMemory(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        let failure = PackFailure<Failure>()
        let output = LatestPackOutput(
            LatestMachine(
                LatestPack(inputs: inputs),
                inputs: inputs,
                downstream: PackDownstream(observer, memory: memory, keepsTuple: true, failure: failure)
            )
        )
        let sender = Sender(output)
        var offset = 0
        for signal in repeat each signals {
            let place = PlaceInLatestPack(place: memory.place(after: &offset, for: signal))
            // An input that is not subscribed to has its place all the same.
            if !output.isClosing { output.resources.add(signal.start(place.observer(output, sender, failure))) }
        }
        return output.handle
    }

    private var chain: Chain {
        var chains: [Chain] = []
        for signal in repeat each signals { chains.append(signal.chain) }
        return Chain(joining: chains, by: "combineLatest")
    }
}
