/// Signals of different types, with their types forgotten.
@usableFromInline
struct CombineLatestPackSignal<each Element: Sendable, Failure: Error>: Signal {
    @usableFromInline typealias Value = (repeat each Element)
    private let signals: (repeat AnySignal<each Element, Failure>)

    @usableFromInline
    init(_ signals: repeat AnySignal<each Element, Failure>) {
        self.signals = (repeat each signals)
    }

    @usableFromInline
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        start(AnyObserver(observer))
    }

    private func start(_ observer: consuming AnyObserver<Value, Failure>) -> any Disposable {
        var inputs = 0
        for _ in repeat each signals { inputs += 1 }
        guard inputs > 0 else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let memory = TupleMemory(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        let failure = PackFailure<Failure>()
        let output = PackOutput(PackMachine(observer, inputs: inputs, memory: memory, failure: failure))
        let sender = Sender(output)
        var offset = 0
        for signal in repeat each signals {
            let input = LatestPackInput(memory.place(after: &offset, for: signal), output, sender, failure)
            // An input that is not subscribed to has its place all the same.
            if !output.isClosing { output.resources.add(signal.start(input.observer)) }
        }
        return output.handle
    }

    @usableFromInline var chain: Chain {
        var chains: [Chain] = []
        for signal in repeat each signals { chains.append(signal.chain) }
        return Chain(joining: chains, by: "combineLatest")
    }
}

extension TupleMemory {
    fileprivate func place<Element, Failure>(
        after offset: inout Int,
        for signal: AnySignal<Element, Failure>
    ) -> TuplePlace<Element> {
        place(of: Element.self, after: &offset)
    }
}

/// One input of a `combineLatest` of a pack.
private struct LatestPackInput<Element: Sendable, Failure: Error>: Sendable {
    let place: TuplePlace<Element>
    let output: PackOutput
    let sender: Sender<PackMachine>
    let failure: PackFailure<Failure>

    init(
        _ place: TuplePlace<Element>,
        _ output: PackOutput,
        _ sender: Sender<PackMachine>,
        _ failure: PackFailure<Failure>
    ) {
        self.place = place
        self.output = output
        self.sender = sender
        self.failure = failure
    }

    var observer: AnyObserver<Element, Failure> {
        AnyObserver(
            next: { [place, output, sender] value in
                withExtendedLifetime(sender) {
                    output.sendNow { Self.put(value, in: place, of: &$0) }
                        ?? output.sendLater { Self.put(value, in: place, of: &$0) }
                }
            },
            lost: { [output] in output.lost($0) },
            terminate: { [place, output, failure] termination in
                output.perform { machine, _ in
                    var isDone = output.isClosing
                    switch termination {
                    case .completed: if machine?.ended(at: place) == true { isDone = true }
                    case .failed(let reason):
                        failure.put(reason)
                        isDone = true
                    }
                    if isDone { output.terminate(.completed) }
                }
            },
            demand: { [output] in output.demand }
        )
    }

    private static func put(
        _ value: Element,
        in place: TuplePlace<Element>,
        of machine: inout PackMachine
    ) -> Demand {
        if place.put(value) { machine.missing -= 1 }
        return machine.next(())
    }
}

extension PackMachine {
    /// An input completed; answers whether nothing more can come.
    fileprivate mutating func ended<Element>(at place: TuplePlace<Element>) -> Bool {
        running -= 1
        return running == 0 || place.isEmpty
    }
}
