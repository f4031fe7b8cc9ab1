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
            let place = SlotInLatestPack(place: memory.place(after: &offset, for: signal))
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

/// The latest values of inputs of different types. They lie in the tuple's memory.
struct LatestPack: LatestValues {
    typealias Joined = Void

    /// How many inputs have no value yet.
    var silent: Int

    init(inputs: Int) {
        silent = inputs
    }

    mutating func lend(to body: (()) -> Demand) -> Demand? { silent == 0 ? body(()) : nil }
}

typealias LatestPackOutput = SerialObserver<LatestMachine<LatestPack, PackDownstream>>

struct SlotInLatestPack<Value: Sendable>: LatestSlot {
    let place: TupleSlot<Value>

    func put(_ value: Value, in values: inout LatestPack) {
        if place.put(value) { values.silent -= 1 }
    }

    func isSilent(in values: LatestPack) -> Bool { place.isEmpty }

    /// Does the same as the machine's own function, which is generic over places and would look this type up.
    private func receive(_ value: Value, _ machine: inout LatestMachine<LatestPack, PackDownstream>) -> Demand {
        put(value, in: &machine.values)
        return machine.emit()
    }

    /// Hears the input.
    func observer<Failure>(
        _ output: LatestPackOutput,
        _ sender: Sender<LatestMachine<LatestPack, PackDownstream>>,
        _ failure: PackFailure<Failure>
    ) -> AnyObserver<Value, Failure> {
        AnyObserver(
            next: { [sender] value in
                withExtendedLifetime(sender) {
                    output.sendNow { receive(value, &$0) } ?? output.sendLater { receive(value, &$0) }
                }
            },
            lost: { output.lost($0) },
            terminate: { termination in
                output.perform { machine, _ in
                    var isDone = output.isClosing
                    switch termination {
                    case .completed: if machine?.ended(at: self) == true { isDone = true }
                    case .failed(let reason):
                        // Of an output that has all it wants, the end is no failure.
                        if !isDone { failure.put(reason) }
                        isDone = true
                    }
                    if isDone { output.terminateNext(.completed) }
                }
            },
            demand: { output.demand },
            wait: { output.whenReady($0) }
        )
    }
}
