/// The logic of a `combineLatest`, without senders and threads: it stands below the one order into which its inputs
/// are put.
@frozen
@usableFromInline
struct LatestMachine<Values: LatestValues, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Values.Joined == Downstream.Value {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var values: Values
    @usableFromInline var running: Int
    @usableFromInline var downstream: Downstream

    @inlinable
    init(_ values: Values, inputs: Int, downstream: consuming Downstream) {
        self.values = values
        running = inputs
        self.downstream = downstream
    }

    /// An input sent a value.
    @inlinable
    mutating func received<Place: LatestPlace>(_ value: Place.Value, at place: Place) -> Demand
    where Place.Values == Values {
        place.put(value, in: &values)
        return emit()
    }

    /// Sends the latest values, once there is one of each.
    @inlinable
    mutating func emit() -> Demand {
        values.lend { downstream.next($0) } ?? downstream.demand
    }

    /// An input completed; returns whether nothing more can come. That is also so when it never sent a value: then no
    /// combination can come.
    @inlinable
    mutating func ended<Place: LatestPlace>(at place: Place) -> Bool where Place.Values == Values {
        running -= 1
        return running == 0 || place.isSilent(in: values)
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
