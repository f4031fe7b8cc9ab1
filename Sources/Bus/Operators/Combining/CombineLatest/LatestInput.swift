/// Hears one input of a `combineLatest`.
@frozen
@usableFromInline
struct LatestInput<Place: LatestPlace, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Place.Values.Joined == Downstream.Value {
    @usableFromInline typealias Value = Place.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = LatestMachine<Place.Values, Downstream>
    @usableFromInline let place: Place
    @usableFromInline let output: SerialObserver<Machine>
    @usableFromInline let sender: Sender<Machine>

    @inlinable
    init(_ place: Place, _ output: SerialObserver<Machine>, _ sender: Sender<Machine>) {
        self.place = place
        self.output = output
        self.sender = sender
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        // A copy, because the closure would otherwise refer to this observer as a whole.
        let place = place
        return output.sendNow { $0.received(value, at: place) } ?? nextLater(value)
    }

    @usableFromInline
    func nextLater(_ value: Value) -> Demand {
        output.sendLater { [place] in $0.received(value, at: place) }
    }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        guard case .completed = termination else { return output.terminate(termination) }
        output.perform { [place, output] machine, _ in
            let isDone = machine?.ended(at: place) ?? false
            if isDone || output.isClosing { output.terminate(.completed) }
        }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
