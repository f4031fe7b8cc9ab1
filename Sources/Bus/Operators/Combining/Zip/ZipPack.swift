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

/// The lines of inputs of different types. Their tuple lies in the tuple's memory.
struct ZipPackLines: ZipLines {
    typealias Joined = Void

    let lines: [any ZipPackLine]
    /// How many lines do not have their next place yet.
    var empty: Int
    var isOneFinished = false

    init(_ lines: [any ZipPackLine]) {
        self.lines = lines
        empty = lines.count
    }

    var areReady: Bool { empty == 0 }

    mutating func take() -> Void? {
        var isWhole = true
        for line in lines {
            if !line.moveIntoPlace() { isWhole = false }
            if line.isEmpty {
                empty += 1
                if line.hasEnded { isOneFinished = true }
            }
        }
        guard isWhole else { return nil }
        for line in lines { line.wasTaken() }
        return ()
    }
}

/// One line, whatever its type.
protocol ZipPackLine: AnyObject, Sendable {
    var isEmpty: Bool { get }
    var hasEnded: Bool { get }

    /// Puts the next value into its place in the tuple; returns false when it was lost.
    func moveIntoPlace() -> Bool
    /// The tuple is about to be moved out.
    func wasTaken()
}

final class TypedZipPackLine<Value: Sendable>: ZipPackLine, @unchecked Sendable {
    // Touched only in the order of delivery of the one output that all inputs share.
    @exclusivity(unchecked) private var runs = PresenceRuns()
    @exclusivity(unchecked) private var values = ValueRing<Value>()
    @exclusivity(unchecked) private var taken = 0
    @exclusivity(unchecked) var hasEnded = false
    private let place: TuplePlace<Value>
    private let room: ZipRoom
    private let index: Int

    init(_ place: TuplePlace<Value>, _ room: ZipRoom, index: Int) {
        self.place = place
        self.room = room
        self.index = index
    }

    var isEmpty: Bool { runs.isEmpty }

    func append(_ value: Value) {
        runs.appendValue()
        values.append(value)
    }

    func appendLoss(of count: Int) { runs.appendLoss(of: count) }

    func moveIntoPlace() -> Bool {
        guard runs.advance() else { return false }
        taken += 1
        room.counters[index].store(taken, ordering: .releasing)
        _ = place.put(values.removeFirst())
        return true
    }

    func wasTaken() { place.wasTaken() }
}

typealias ZipPackOutput = SerialObserver<ZipMachine<ZipPackLines, PackDownstream>>

struct PlaceInZipPack<Value: Sendable>: ZipPlace {
    let line: TypedZipPackLine<Value>

    /// Does the same as the machine's own function, which is generic over places and would look this type up.
    func receive(
        _ value: Value,
        after lost: Int,
        _ machine: inout ZipMachine<ZipPackLines, PackDownstream>
    ) -> Demand {
        if lost > 0 { appendLoss(of: lost, to: &machine.lines) }
        append(value, to: &machine.lines)
        return machine.pairIfReady()
    }

    func append(_ value: Value, to lines: inout ZipPackLines) {
        if line.isEmpty { lines.empty -= 1 }
        line.append(value)
    }

    func appendLoss(of count: Int, to lines: inout ZipPackLines) {
        if line.isEmpty { lines.empty -= 1 }
        line.appendLoss(of: count)
    }

    func end(in lines: inout ZipPackLines) {
        line.hasEnded = true
        if line.isEmpty { lines.isOneFinished = true }
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
    private let room: ZipRoom
    private let index: Int
    private let output: ZipPackOutput
    private let sender: Sender<ZipMachine<ZipPackLines, PackDownstream>>

    init(
        _ room: ZipRoom,
        index: Int,
        _ output: ZipPackOutput,
        _ sender: Sender<ZipMachine<ZipPackLines, PackDownstream>>
    ) {
        self.room = room
        self.index = index
        self.output = output
        self.sender = sender
    }

    func observer<Value, Failure>(
        into line: TypedZipPackLine<Value>,
        failure: PackFailure<Failure>
    ) -> AnyObserver<Value, Failure> {
        let place = PlaceInZipPack(line: line)
        return AnyObserver(
            next: { [self] value in
                guard !room.isFull(sent: sent, at: index) else {
                    // Its source goes on though it was told to pause.
                    lost += 1
                    return demand
                }
                sent += 1
                if report != nil { report = nil }
                let before = takeLost()
                let answer =
                    output.sendNow { place.receive(value, after: before, &$0) }
                    ?? output.sendLater { place.receive(value, after: before, &$0) }
                return answer == .more ? demand : answer
            },
            lost: { [self] count in
                let missing = takeLost() + count
                if report?.join(missing) == true { return }
                let report = LossReport(missing)
                self.report = report
                output.perform { [output] machine, _ in
                    if machine?.lost(report.take(), at: place) == .stop { output.terminate(.completed) }
                }
            },
            terminate: { [self] termination in
                let before = takeLost()
                output.perform { [output] machine, _ in
                    var isDone = output.isClosing
                    switch termination {
                    case .completed: if machine?.ended(after: before, at: place) == true { isDone = true }
                    case .failed(let reason):
                        failure.put(reason)
                        isDone = true
                    }
                    if isDone { output.terminate(.completed) }
                }
            },
            demand: { [self] in demand },
            wait: { [self] resume in
                guard room.isFull(sent: sent, at: index) else { return output.whenReady(resume) }
                return output.wait(ZipPause(index: index, sent: sent, resume: resume))
            }
        )
    }

    private var demand: Demand {
        let demand = output.demand
        return demand == .more && room.isFull(sent: sent, at: index) ? .pause : demand
    }

    private func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }
}
