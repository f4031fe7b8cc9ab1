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

    @usableFromInline static var chain: Chain { Chain(joining: [First.chain, Second.chain], by: "zip") }
    @usableFromInline var chain: Chain { Chain(joining: [first.chain, second.chain], by: "zip") }
}

/// The lines of two inputs.
@frozen
@usableFromInline
struct ZipPair<First: Sendable, Second: Sendable>: ZipLines {
    @usableFromInline var first: ZipLine<First>
    @usableFromInline var second: ZipLine<Second>

    @inlinable
    init(_ room: ZipRoom) {
        first = ZipLine(room, at: 0)
        second = ZipLine(room, at: 1)
    }

    @inlinable
    var areReady: Bool { !first.isEmpty && !second.isEmpty }

    @inlinable
    mutating func take() -> (First, Second)? {
        let (first, second) = (first.take(), second.take())
        guard let first, let second else { return nil }
        return (first, second)
    }

    @inlinable
    var isOneFinished: Bool { first.isFinished || second.isFinished }
}

@frozen
@usableFromInline
struct FirstOfZip<First: Sendable, Second: Sendable>: ZipPlace {
    @inlinable
    init() {}

    @inlinable
    func append(_ value: First, to lines: inout ZipPair<First, Second>) { lines.first.append(value) }

    @inlinable
    func appendLoss(of count: Int, to lines: inout ZipPair<First, Second>) { lines.first.runs.appendLoss(of: count) }

    @inlinable
    func end(in lines: inout ZipPair<First, Second>) { lines.first.hasEnded = true }
}

@frozen
@usableFromInline
struct SecondOfZip<First: Sendable, Second: Sendable>: ZipPlace {
    @inlinable
    init() {}

    @inlinable
    func append(_ value: Second, to lines: inout ZipPair<First, Second>) { lines.second.append(value) }

    @inlinable
    func appendLoss(of count: Int, to lines: inout ZipPair<First, Second>) { lines.second.runs.appendLoss(of: count) }

    @inlinable
    func end(in lines: inout ZipPair<First, Second>) { lines.second.hasEnded = true }
}
