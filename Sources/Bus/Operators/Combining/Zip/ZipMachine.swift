/// The queues of all inputs of a `zip`.
@usableFromInline
protocol ZipQueues<Joined>: Sendable {
    associatedtype Joined: Sendable

    /// Whether each queue has its next place.
    var areReady: Bool { get }

    /// The values in the next place of each, when they are ready; nothing when one of them was lost.
    mutating func take() -> Joined?

    /// The downstream has heard the values that were taken last.
    mutating func wasSent()

    /// Whether one of them has ended and is empty.
    var isOneFinished: Bool { get }
}

extension ZipQueues {
    @inlinable
    mutating func wasSent() {}
}

/// One input's queue among them.
@usableFromInline
protocol ZipSlot<Value, Queues>: Sendable {
    associatedtype Value: Sendable
    associatedtype Queues: ZipQueues

    func append(_ value: Value, to queues: inout Queues)
    func appendLoss(of count: Int, to queues: inout Queues)
    func end(in queues: inout Queues)
}

/// The logic of a `zip`, without senders and threads: it stands below the one order into which its inputs are put.
@frozen
@usableFromInline
struct ZipMachine<Queues: ZipQueues, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Queues.Joined == Downstream.Value {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var queues: Queues
    @usableFromInline let counters: ZipCounters
    /// The inputs that were told to pause because they are too far ahead, and the closures to call.
    @usableFromInline var waiting: [ZipPause] = []
    @usableFromInline var downstream: Downstream

    @inlinable
    init(_ queues: Queues, counters: ZipCounters, downstream: consuming Downstream) {
        self.queues = queues
        self.counters = counters
        self.downstream = downstream
    }

    /// An input sent a value, before which it had lost some.
    @inlinable
    mutating func received<Place: ZipSlot>(
        _ value: Place.Value,
        after lost: Int,
        at place: Place,
        in output: SerialObserver<Self>
    ) -> Demand where Place.Queues == Queues {
        if lost > 0 { place.appendLoss(of: lost, to: &queues) }
        place.append(value, to: &queues)
        return pairIfReady(in: output)
    }

    @inlinable
    mutating func pairIfReady(in output: SerialObserver<Self>) -> Demand {
        queues.areReady ? pair(in: output) : downstream.demand
    }

    /// An input lost values.
    @usableFromInline
    mutating func lost<Place: ZipSlot>(_ count: Int, at place: Place, in output: SerialObserver<Self>) -> Demand
    where Place.Queues == Queues {
        place.appendLoss(of: count, to: &queues)
        return pairIfReady(in: output)
    }

    /// An input completed, with some values lost at its end; returns whether nothing more can come.
    @usableFromInline
    mutating func ended<Place: ZipSlot>(after lost: Int, at place: Place, in output: SerialObserver<Self>) -> Bool
    where Place.Queues == Queues {
        if lost > 0, self.lost(lost, at: place, in: output) == .stop { return true }
        place.end(in: &queues)
        return queues.isOneFinished
    }

    /// Sends the tuples that are ready. Stops when nothing more can come.
    ///
    /// - Parameter output: stands above; whoever hears one of several events may dispose of it.
    @inlinable
    mutating func pair(in output: SerialObserver<Self>) -> Demand {
        var missing = 0
        repeat {
            guard let joined = queues.take() else {
                missing += 1
                continue
            }
            if missing > 0 {
                downstream.lost(missing)
                if output.isClosing { return .stop }
                missing = 0
            }
            let demand = downstream.next(joined)
            queues.wasSent()
            if demand == .stop || queues.areReady && output.isClosing { return .stop }
        } while queues.areReady
        if missing > 0 { downstream.lost(missing) }
        if !waiting.isEmpty { callBack() }
        return queues.isOneFinished ? .stop : downstream.demand
    }

    /// An input is too far ahead, and is to be called when it is not.
    @usableFromInline
    mutating func wait(_ pause: ZipPause) {
        waiting.removeAll { $0.index == pause.index }
        waiting.append(pause)
        callBack()
    }

    @usableFromInline
    mutating func callBack() {
        let ready = waiting.filter { !counters.isCrowded(sent: $0.sent, at: $0.index) }
        if ready.isEmpty { return }
        waiting.removeAll { !counters.isCrowded(sent: $0.sent, at: $0.index) }
        for pause in ready { pause.resume() }
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}

/// An input of a `zip` that was told to pause after so many values.
@frozen
@usableFromInline
struct ZipPause: Sendable {
    @usableFromInline let index: Int
    @usableFromInline let sent: Int
    @usableFromInline let resume: @Sendable () -> Void

    @usableFromInline
    init(index: Int, sent: Int, resume: @escaping @Sendable () -> Void) {
        self.index = index
        self.sent = sent
        self.resume = resume
    }
}

extension SerialObserver where Downstream: ~Copyable {
    /// Gives the machine a value, if its turn is now.
    ///
    /// A function of the output, because a closure made by the input would have to retain the output for each event.
    @inlinable
    @inline(__always)
    func receiveNow<Place: ZipSlot, Below: Observer & ~Copyable>(
        _ value: Place.Value,
        after lost: Int,
        at place: Place
    ) -> Demand? where Downstream == ZipMachine<Place.Queues, Below> {
        sendNow { $0.received(value, after: lost, at: place, in: self) }
    }

    /// Lets an input of a `zip` be called when it is not too far ahead any more. The machine notes it in its turn, so
    /// that the input misses no value that is taken meanwhile.
    @usableFromInline
    func wait<Queues, Below: Observer & ~Copyable>(_ pause: ZipPause) -> Demand
    where Downstream == ZipMachine<Queues, Below> {
        if isClosing { return .stop }
        perform { machine, _ in machine?.wait(pause) }
        return .pause
    }
}

/// Hears one input of a `zip`.
@frozen
@usableFromInline
struct ZipInput<Place: ZipSlot, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Place.Queues.Joined == Downstream.Value {
    @usableFromInline typealias Value = Place.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = ZipMachine<Place.Queues, Downstream>
    @usableFromInline let place: Place
    @usableFromInline let index: Int
    @usableFromInline let counters: ZipCounters
    @usableFromInline let output: SerialObserver<Machine>
    @usableFromInline let sender: Sender<Machine>
    /// How many values were let through.
    @usableFromInline var sent = 0
    /// How many values were lost since the last that was let through.
    @usableFromInline var lost = 0
    /// The losses reported after the last value that was let through.
    @usableFromInline var report: LossReport?

    @inlinable
    init(
        _ place: Place,
        index: Int,
        _ counters: ZipCounters,
        _ output: SerialObserver<Machine>,
        _ sender: Sender<Machine>
    ) {
        self.place = place
        self.index = index
        self.counters = counters
        self.output = output
        self.sender = sender
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if counters.isFull(sent: sent, at: index) { return goesOn() }
        sent += 1
        if report != nil { report = nil }
        let lost = lost
        self.lost = 0
        let answer = output.receiveNow(value, after: lost, at: place) ?? nextLater(value, after: lost)
        return answer == .more && counters.isFull(sent: sent, at: index) ? .pause : answer
    }

    /// Loses a value of a source that goes on though it was told to pause.
    @usableFromInline
    mutating func goesOn() -> Demand {
        lost += 1
        return demand
    }

    @usableFromInline
    func nextLater(_ value: Value, after lost: Int) -> Demand {
        output.sendLater { [place, output] in $0.received(value, after: lost, at: place, in: output) }
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        guard count > 0 else { return }
        let missing = lost + count
        lost = 0
        if report?.join(missing) == true { return }
        let report = LossReport(missing)
        self.report = report
        output.perform { [place, output] machine, _ in
            if machine?.lost(report.take(), at: place, in: output) == .stop { output.terminate(.completed) }
        }
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        guard case .completed = termination else { return output.terminate(termination) }
        output.perform { [place, output, lost] machine, _ in
            let isDone = machine?.ended(after: lost, at: place, in: output) ?? false
            if isDone || output.isClosing { output.terminate(.completed) }
        }
    }

    @inlinable
    var demand: Demand {
        let demand = output.demand
        return demand == .more && counters.isFull(sent: sent, at: index) ? .pause : demand
    }

    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard counters.isFull(sent: sent, at: index) else { return output.whenReady(resume) }
        return output.wait(ZipPause(index: index, sent: sent, resume: resume))
    }
}
