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

/// The lines of a list of inputs of one type.
@frozen
@usableFromInline
struct ZipList<Value: Sendable>: ZipLines {
    @usableFromInline var lines: [ZipLine<Value>]
    /// How many lines do not have their next place yet.
    @usableFromInline var empty: Int
    @usableFromInline var isOneFinished = false

    @inlinable
    init(_ room: ZipRoom, inputs: Int) {
        lines = (0..<inputs).map { ZipLine(room, at: $0) }
        empty = inputs
    }

    @inlinable
    var areReady: Bool { empty == 0 }

    @inlinable
    mutating func take() -> [Value]? {
        var joined: [Value] = []
        joined.reserveCapacity(lines.count)
        for index in lines.indices {
            if let value = lines[index].take() { joined.append(value) }
            if lines[index].isEmpty { empty += 1 }
            if lines[index].isFinished { isOneFinished = true }
        }
        return joined.count == lines.count ? joined : nil
    }
}

@frozen
@usableFromInline
struct PlaceInZip<Value: Sendable>: ZipPlace {
    @usableFromInline let index: Int

    @inlinable
    init(index: Int) {
        self.index = index
    }

    @inlinable
    func append(_ value: Value, to lines: inout ZipList<Value>) {
        if lines.lines[index].isEmpty { lines.empty -= 1 }
        lines.lines[index].append(value)
    }

    @usableFromInline
    func appendLoss(of count: Int, to lines: inout ZipList<Value>) {
        if lines.lines[index].isEmpty { lines.empty -= 1 }
        lines.lines[index].runs.appendLoss(of: count)
    }

    @usableFromInline
    func end(in lines: inout ZipList<Value>) {
        lines.lines[index].hasEnded = true
        if lines.lines[index].isEmpty { lines.isOneFinished = true }
    }
}
