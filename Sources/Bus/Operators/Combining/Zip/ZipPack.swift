import Synchronization

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
        let counters = ZipCounters(inputs: inputs, limit: limit)
        let memory = TupleMemory(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        let failure = PackFailure<Failure>()
        var offset = 0
        var index = 0
        func queue<Input>(for signal: AnySignal<Input, Failure>) -> TypedZipPackQueue<Input> {
            defer { index += 1 }
            return TypedZipPackQueue(memory.place(after: &offset, for: signal), counters, index: index)
        }
        let queues = (repeat queue(for: each signals))
        var erased: [any ZipPackQueue] = []
        for queue in repeat each queues { erased.append(queue) }
        let output = ZipPackOutput(
            ZipMachine(
                ZipPackQueues(erased),
                counters: counters,
                downstream: PackDownstream(observer, memory: memory, keepsTuple: false, failure: failure)
            ),
            limit: counters.total
        )
        let sender = Sender(output)
        index = 0
        for (signal, queue) in repeat (each signals, each queues) {
            if output.isClosing { break }
            let input = ZipPackInput(counters, index: index, output, sender)
            output.resources.add(signal.start(input.observer(into: queue, failure: failure)))
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

/// The queues of inputs of different types. Their tuple lies in the tuple's memory.
struct ZipPackQueues: ZipQueues {
    typealias Joined = Void

    let queues: [any ZipPackQueue]
    /// How many queues do not have their next place yet.
    var empty: Int
    var isOneFinished = false

    init(_ queues: [any ZipPackQueue]) {
        self.queues = queues
        empty = queues.count
    }

    var areReady: Bool { empty == 0 }

    mutating func take() -> Void? {
        var isWhole = true
        for queue in queues {
            if !queue.moveIntoSlot() { isWhole = false }
            if queue.isEmpty {
                empty += 1
                if queue.hasEnded { isOneFinished = true }
            }
        }
        return isWhole ? () : nil
    }

    func wasSent() {
        for queue in queues { queue.wasSent() }
    }
}

/// One queue, whatever its type.
protocol ZipPackQueue: AnyObject, Sendable {
    var isEmpty: Bool { get }
    var hasEnded: Bool { get }

    /// Puts the next value into its place in the tuple; returns false when it was lost.
    func moveIntoSlot() -> Bool
    /// The tuple was moved out.
    func wasSent()
}

final class TypedZipPackQueue<Value: Sendable>: ZipPackQueue, @unchecked Sendable {
    // Touched only in the order of delivery of the one output that all inputs share.
    @exclusivity(unchecked) private var runs = PresenceRuns()
    @exclusivity(unchecked) private var values = ValueRing<Value>()
    @exclusivity(unchecked) private var taken = 0
    @exclusivity(unchecked) var hasEnded = false
    private let place: TupleSlot<Value>
    private let counters: ZipCounters
    private let index: Int

    init(_ place: TupleSlot<Value>, _ counters: ZipCounters, index: Int) {
        self.place = place
        self.counters = counters
        self.index = index
    }

    var isEmpty: Bool { runs.isEmpty }

    func append(_ value: Value) {
        runs.appendValue()
        values.append(value)
    }

    func appendLoss(of count: Int) { runs.appendLoss(of: count) }

    func moveIntoSlot() -> Bool {
        guard runs.advance() else { return false }
        taken += 1
        counters.counters[index].store(taken, ordering: .releasing)
        _ = place.put(values.removeFirst())
        return true
    }

    func wasSent() { place.wasTaken() }
}

typealias ZipPackOutput = SerialObserver<ZipMachine<ZipPackQueues, PackDownstream>>

struct SlotInZipPack<Value: Sendable>: ZipSlot {
    let queue: TypedZipPackQueue<Value>

    /// Does the same as the machine's own function, which is generic over places and would look this type up.
    func receive(
        _ value: Value,
        after lost: Int,
        _ machine: inout ZipMachine<ZipPackQueues, PackDownstream>,
        in output: ZipPackOutput
    ) -> Demand {
        if lost > 0 { appendLoss(of: lost, to: &machine.queues) }
        append(value, to: &machine.queues)
        return machine.pairIfReady(in: output)
    }

    func append(_ value: Value, to queues: inout ZipPackQueues) {
        if queue.isEmpty { queues.empty -= 1 }
        queue.append(value)
    }

    func appendLoss(of count: Int, to queues: inout ZipPackQueues) {
        if queue.isEmpty { queues.empty -= 1 }
        queue.appendLoss(of: count)
    }

    func end(in queues: inout ZipPackQueues) {
        queue.hasEnded = true
        if queue.isEmpty { queues.isOneFinished = true }
    }
}

/// One input of a `zip` of a pack, apart from its type: how far ahead it is.
///
/// Touched by the input's one sender, one event at a time.
final class ZipPackInput: @unchecked Sendable {
    // See above.
    @exclusivity(unchecked) private var sent = 0
    @exclusivity(unchecked) private var lost = 0
    /// The losses reported after the last value that was let through.
    @exclusivity(unchecked) private var report: LossReport?
    private let counters: ZipCounters
    private let index: Int
    private let output: ZipPackOutput
    private let sender: Sender<ZipMachine<ZipPackQueues, PackDownstream>>

    init(
        _ counters: ZipCounters,
        index: Int,
        _ output: ZipPackOutput,
        _ sender: Sender<ZipMachine<ZipPackQueues, PackDownstream>>
    ) {
        self.counters = counters
        self.index = index
        self.output = output
        self.sender = sender
    }

    func observer<Value, Failure>(
        into queue: TypedZipPackQueue<Value>,
        failure: PackFailure<Failure>
    ) -> AnyObserver<Value, Failure> {
        let place = SlotInZipPack(queue: queue)
        return AnyObserver(
            next: { [self] value in
                guard !counters.isFull(sent: sent, at: index) else {
                    // Its source goes on though it was told to pause.
                    lost += 1
                    return demand
                }
                sent += 1
                if report != nil { report = nil }
                let before = takeLost()
                let answer =
                    output.sendNow { place.receive(value, after: before, &$0, in: output) }
                    ?? output.sendLater { [output] in place.receive(value, after: before, &$0, in: output) }
                return answer == .more ? demand : answer
            },
            lost: { [self] count in
                guard count > 0 else { return }
                let missing = takeLost() + count
                if report?.join(missing) == true { return }
                let report = LossReport(missing)
                self.report = report
                output.perform { [output] machine, _ in
                    if machine?.lost(report.take(), at: place, in: output) == .stop { output.terminate(.completed) }
                }
            },
            terminate: { [self] termination in
                let before = takeLost()
                output.perform { [output] machine, _ in
                    var isDone = output.isClosing
                    switch termination {
                    case .completed: if machine?.ended(after: before, at: place, in: output) == true { isDone = true }
                    case .failed(let reason):
                        // Of an output that has all it wants, the end is no failure.
                        if !isDone { failure.put(reason) }
                        isDone = true
                    }
                    if isDone { output.terminateNext(.completed) }
                }
            },
            demand: { [self] in demand },
            wait: { [self] resume in
                guard counters.isFull(sent: sent, at: index) else { return output.whenReady(resume) }
                return output.wait(ZipPause(index: index, sent: sent, resume: resume))
            }
        )
    }

    private var demand: Demand {
        let demand = output.demand
        return demand == .more && counters.isFull(sent: sent, at: index) ? .pause : demand
    }

    private func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }
}
