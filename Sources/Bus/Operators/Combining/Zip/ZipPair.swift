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
        let counters = ZipCounters(inputs: 2, limit: limit)
        let queues = ZipPair<First.Value, Second.Value>(counters)
        let output = SerialObserver(ZipMachine(queues, counters: counters, downstream: observer), limit: counters.total)
        let sender = Sender(output)
        output.resources.add(first.subscribe(ZipInput(FirstOfZip(), index: 0, counters, output, sender)))
        if !output.isClosing {
            output.resources.add(second.subscribe(ZipInput(SecondOfZip(), index: 1, counters, output, sender)))
        }
        return output.handle
    }

    @usableFromInline static var chain: Chain { Chain(joining: [First.chain, Second.chain], by: "zip") }
    @usableFromInline var chain: Chain { Chain(joining: [first.chain, second.chain], by: "zip") }
}

/// The queues of two inputs.
@frozen
@usableFromInline
struct ZipPair<First: Sendable, Second: Sendable>: ZipQueues {
    @usableFromInline var first: ZipQueue<First>
    @usableFromInline var second: ZipQueue<Second>

    @inlinable
    init(_ counters: ZipCounters) {
        first = ZipQueue(counters, at: 0)
        second = ZipQueue(counters, at: 1)
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
struct FirstOfZip<First: Sendable, Second: Sendable>: ZipSlot {
    @inlinable
    init() {}

    @inlinable
    func append(_ value: First, to queues: inout ZipPair<First, Second>) { queues.first.append(value) }

    @inlinable
    func appendLoss(of count: Int, to queues: inout ZipPair<First, Second>) { queues.first.runs.appendLoss(of: count) }

    @inlinable
    func end(in queues: inout ZipPair<First, Second>) { queues.first.hasEnded = true }
}

@frozen
@usableFromInline
struct SecondOfZip<First: Sendable, Second: Sendable>: ZipSlot {
    @inlinable
    init() {}

    @inlinable
    func append(_ value: Second, to queues: inout ZipPair<First, Second>) { queues.second.append(value) }

    @inlinable
    func appendLoss(of count: Int, to queues: inout ZipPair<First, Second>) { queues.second.runs.appendLoss(of: count) }

    @inlinable
    func end(in queues: inout ZipPair<First, Second>) { queues.second.hasEnded = true }
}
