@frozen
@usableFromInline
struct ZipListSignal<Elements: Collection & Sendable>: Signal where Elements.Element: Signal {
    @usableFromInline typealias Value = [Elements.Element.Value]
    @usableFromInline typealias Failure = Elements.Element.Failure
    @usableFromInline let signals: Elements
    @usableFromInline let limit: Int

    @inlinable
    init(signals: Elements, limit: Int) {
        self.signals = signals
        self.limit = limit
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let inputs = signals.count
        guard inputs > 0 else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let room = ZipRoom(inputs: inputs, limit: limit)
        let lines = ZipList<Elements.Element.Value>(room, inputs: inputs)
        let output = SerialObserver(ZipMachine(lines, room: room, downstream: observer), limit: room.total)
        let sender = Sender(output)
        for (index, signal) in signals.enumerated() {
            if output.isClosing { break }
            let input = ZipInput(PlaceInZip(index: index), index: index, room, output, sender)
            output.resources.add(signal.subscribe(input))
        }
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(joining: signals.map(\.chain), by: "zip") }
}
