@frozen
@usableFromInline
struct ZipPairSignal<First: Signal, Second: Signal>: Signal where First.Failure == Second.Failure {
    @usableFromInline typealias Value = (First.Value, Second.Value)
    @usableFromInline typealias Failure = First.Failure
    @usableFromInline let first: First
    @usableFromInline let second: Second
    @usableFromInline let limit: Int

    @inlinable
    init(first: First, second: Second, limit: Int) {
        self.first = first
        self.second = second
        self.limit = limit
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let room = ZipRoom(inputs: 2, limit: limit)
        let lines = ZipPair<First.Value, Second.Value>(room)
        let output = SerialObserver(ZipMachine(lines, room: room, downstream: observer), limit: room.total)
        let sender = Sender(output)
        output.resources.add(first.subscribe(ZipInput(FirstOfZip(), index: 0, room, output, sender)))
        if !output.isClosing {
            output.resources.add(second.subscribe(ZipInput(SecondOfZip(), index: 1, room, output, sender)))
        }
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(joining: [first.chain, second.chain], by: "zip") }
}
