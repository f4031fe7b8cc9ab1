/// Signals of different types, erased.
@usableFromInline
struct ZipPackSignal<each Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Value = (repeat each Element)
    private let signals: (repeat AnySignal<each Element, Failure>)
    private let limit: Int

    @usableFromInline
    init(_ signals: repeat AnySignal<each Element, Failure>, limit: Int) {
        self.signals = (repeat each signals)
        self.limit = limit
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
        let room = ZipRoom(inputs: inputs, limit: limit)
        let memory = TupleMemory(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        let failure = PackFailure<Failure>()
        var offset = 0
        var index = 0
        func line<Input>(for signal: AnySignal<Input, Failure>) -> TypedZipPackLine<Input> {
            defer { index += 1 }
            return TypedZipPackLine(memory.place(after: &offset, for: signal), room, index: index)
        }
        let lines = (repeat line(for: each signals))
        var erased: [any ZipPackLine] = []
        for line in repeat each lines { erased.append(line) }
        let output = ZipPackOutput(
            ZipMachine(
                ZipPackLines(erased),
                room: room,
                downstream: PackDownstream(observer, memory: memory, keepsTuple: false, failure: failure)
            ),
            limit: room.total
        )
        let sender = Sender(output)
        index = 0
        for (signal, line) in repeat (each signals, each lines) {
            if output.isClosing { break }
            let input = ZipPackInput(room, index: index, output, sender)
            output.resources.add(signal.start(input.observer(into: line, failure: failure)))
            index += 1
        }
        return output.handle
    }

    private var chain: Chain {
        var chains: [Chain] = []
        for signal in repeat each signals { chains.append(signal.chain) }
        return Chain(joining: chains, by: "zip")
    }
}
