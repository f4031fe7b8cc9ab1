/// The lines of all inputs of a `zip`.
@usableFromInline
protocol ZipLines<Joined>: Sendable {
    associatedtype Joined: Sendable

    /// Whether each line has its next place.
    var areReady: Bool { get }

    /// The values in the next place of each, when they are ready; nothing when one of them was lost.
    mutating func take() -> Joined?

    /// Whether one of them has ended and is empty.
    var isOneFinished: Bool { get }
}

/// One input's line among them.
@usableFromInline
protocol ZipPlace<Value, Lines>: Sendable {
    associatedtype Value: Sendable
    associatedtype Lines: ZipLines

    func append(_ value: Value, to lines: inout Lines)
    func appendLoss(of count: Int, to lines: inout Lines)
    func end(in lines: inout Lines)
}

/// The logic of a `zip`, without senders and threads: it stands below the one order into which its inputs are put.
@frozen
@usableFromInline
struct ZipMachine<Lines: ZipLines, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Lines.Joined == Downstream.Value {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var lines: Lines
    @usableFromInline let room: ZipRoom
    /// The inputs that were told to pause because they are too far ahead, and the closures to call.
    @usableFromInline var waiting: [ZipPause] = []
    @usableFromInline var downstream: Downstream

    @inlinable
    init(_ lines: Lines, room: ZipRoom, downstream: consuming Downstream) {
        self.lines = lines
        self.room = room
        self.downstream = downstream
    }

    /// An input sent a value, before which it had lost some.
    @inlinable
    mutating func received<Place: ZipPlace>(_ value: Place.Value, after lost: Int, at place: Place) -> Demand
    where Place.Lines == Lines {
        if lost > 0 { place.appendLoss(of: lost, to: &lines) }
        place.append(value, to: &lines)
        return pairIfReady()
    }

    @inlinable
    mutating func pairIfReady() -> Demand { lines.areReady ? pair() : downstream.demand }

    /// An input lost values.
    @usableFromInline
    mutating func lost<Place: ZipPlace>(_ count: Int, at place: Place) -> Demand where Place.Lines == Lines {
        place.appendLoss(of: count, to: &lines)
        return pairIfReady()
    }

    /// An input completed, with some values lost at its end; returns whether nothing more can come.
    @usableFromInline
    mutating func ended<Place: ZipPlace>(after lost: Int, at place: Place) -> Bool where Place.Lines == Lines {
        if lost > 0, self.lost(lost, at: place) == .stop { return true }
        place.end(in: &lines)
        return lines.isOneFinished
    }

    /// Sends the tuples that are ready. Stops when nothing more can come.
    @inlinable
    mutating func pair() -> Demand {
        var missing = 0
        repeat {
            guard let joined = lines.take() else {
                missing += 1
                continue
            }
            if missing > 0 {
                downstream.lost(missing)
                missing = 0
            }
            if downstream.next(joined) == .stop { return .stop }
        } while lines.areReady
        if missing > 0 { downstream.lost(missing) }
        if !waiting.isEmpty { callBack() }
        return lines.isOneFinished ? .stop : downstream.demand
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
        let ready = waiting.filter { !room.isCrowded(sent: $0.sent, at: $0.index) }
        if ready.isEmpty { return }
        waiting.removeAll { !room.isCrowded(sent: $0.sent, at: $0.index) }
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
    /// Lets an input of a `zip` be called when it is not too far ahead any more. The machine notes it in its turn, so
    /// that the input misses no value that is taken meanwhile.
    @usableFromInline
    func wait<Lines, Below: Observer & ~Copyable>(_ pause: ZipPause) -> Demand
    where Downstream == ZipMachine<Lines, Below> {
        if isClosing { return .stop }
        perform { machine, _ in machine?.wait(pause) }
        return .pause
    }
}

/// Hears one input of a `zip`.
@frozen
@usableFromInline
struct ZipInput<Place: ZipPlace, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Place.Lines.Joined == Downstream.Value {
    @usableFromInline typealias Value = Place.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = ZipMachine<Place.Lines, Downstream>
    @usableFromInline let place: Place
    @usableFromInline let index: Int
    @usableFromInline let room: ZipRoom
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
        _ room: ZipRoom,
        _ output: SerialObserver<Machine>,
        _ sender: Sender<Machine>
    ) {
        self.place = place
        self.index = index
        self.room = room
        self.output = output
        self.sender = sender
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if room.isFull(sent: sent, at: index) { return goesOn() }
        sent += 1
        if report != nil { report = nil }
        // Copies, because the closure would otherwise refer to this observer as a whole.
        let (place, lost) = (place, lost)
        self.lost = 0
        let answer = output.sendNow { $0.received(value, after: lost, at: place) } ?? nextLater(value, after: lost)
        return answer == .more && room.isFull(sent: sent, at: index) ? .pause : answer
    }

    /// Loses a value of a source that goes on though it was told to pause.
    @usableFromInline
    mutating func goesOn() -> Demand {
        lost += 1
        return demand
    }

    @usableFromInline
    func nextLater(_ value: Value, after lost: Int) -> Demand {
        output.sendLater { [place] in $0.received(value, after: lost, at: place) }
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        let missing = lost + count
        lost = 0
        if report?.join(missing) == true { return }
        let report = LossReport(missing)
        self.report = report
        output.perform { [place, output] machine, _ in
            if machine?.lost(report.take(), at: place) == .stop { output.terminate(.completed) }
        }
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        guard case .completed = termination else { return output.terminate(termination) }
        output.perform { [place, output, lost] machine, _ in
            let isDone = machine?.ended(after: lost, at: place) ?? false
            if isDone || output.isClosing { output.terminate(.completed) }
        }
    }

    @inlinable
    var demand: Demand {
        let demand = output.demand
        return demand == .more && room.isFull(sent: sent, at: index) ? .pause : demand
    }

    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard room.isFull(sent: sent, at: index) else { return output.whenReady(resume) }
        return output.wait(ZipPause(index: index, sent: sent, resume: resume))
    }
}
