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
