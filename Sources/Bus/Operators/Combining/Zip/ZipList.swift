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
        let counters = ZipCounters(inputs: inputs, limit: limit)
        let queues = ZipList<Elements.Element.Value>(counters, inputs: inputs)
        let output = SerialObserver(ZipMachine(queues, counters: counters, downstream: observer), limit: counters.total)
        let sender = Sender(output)
        for (index, signal) in signals.enumerated() {
            if output.isClosing { break }
            let input = ZipInput(SlotInZip(index: index), index: index, counters, output, sender)
            output.resources.add(signal.subscribe(input))
        }
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(joining: signals.map(\.chain), by: "zip") }
}

/// The queues of a list of inputs of one type.
@frozen
@usableFromInline
struct ZipList<Value: Sendable>: ZipQueues {
    @usableFromInline var queues: [ZipQueue<Value>]
    /// How many queues do not have their next place yet.
    @usableFromInline var empty: Int
    @usableFromInline var isOneFinished = false

    @inlinable
    init(_ counters: ZipCounters, inputs: Int) {
        queues = (0..<inputs).map { ZipQueue(counters, at: $0) }
        empty = inputs
    }

    @inlinable
    var areReady: Bool { empty == 0 }

    @inlinable
    mutating func take() -> [Value]? {
        var joined: [Value] = []
        joined.reserveCapacity(queues.count)
        for index in queues.indices {
            if let value = queues[index].take() { joined.append(value) }
            if queues[index].isEmpty { empty += 1 }
            if queues[index].isFinished { isOneFinished = true }
        }
        return joined.count == queues.count ? joined : nil
    }
}

@frozen
@usableFromInline
struct SlotInZip<Value: Sendable>: ZipSlot {
    @usableFromInline let index: Int

    @inlinable
    init(index: Int) {
        self.index = index
    }

    @inlinable
    func append(_ value: Value, to queues: inout ZipList<Value>) {
        if queues.queues[index].isEmpty { queues.empty -= 1 }
        queues.queues[index].append(value)
    }

    @usableFromInline
    func appendLoss(of count: Int, to queues: inout ZipList<Value>) {
        if queues.queues[index].isEmpty { queues.empty -= 1 }
        queues.queues[index].runs.appendLoss(of: count)
    }

    @usableFromInline
    func end(in queues: inout ZipList<Value>) {
        queues.queues[index].hasEnded = true
        if queues.queues[index].isEmpty { queues.isOneFinished = true }
    }
}
