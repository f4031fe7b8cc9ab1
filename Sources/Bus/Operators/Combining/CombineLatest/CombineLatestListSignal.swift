@frozen
@usableFromInline
struct CombineLatestListSignal<Elements: Collection & Sendable>: Signal where Elements.Element: Signal {
    @usableFromInline typealias Value = [Elements.Element.Value]
    @usableFromInline typealias Failure = Elements.Element.Failure
    @usableFromInline let signals: Elements

    @inlinable
    init(signals: Elements) {
        self.signals = signals
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard !signals.isEmpty else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let list = LatestList<Elements.Element.Value>(inputs: signals.count)
        let output = SerialObserver(LatestMachine(list, inputs: signals.count, downstream: observer))
        let sender = Sender(output)
        for (index, signal) in signals.enumerated() {
            if output.isClosing { break }
            output.resources.add(signal.subscribe(LatestInput(PlaceInList(index: index), output, sender)))
        }
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(joining: signals.map(\.chain), by: "combineLatest") }
}
