/// The choice of the inner signal that is heard, without senders and threads: it stands below the one order into
/// which all of them and their source are put.
@frozen
@usableFromInline
struct FlattenLatestMachine<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    /// The number of the signal that is heard.
    @usableFromInline var present: UInt64 = 0
    @usableFromInline var presentRuns = false
    @usableFromInline var outerIsDone = false
    @usableFromInline var downstream: Downstream

    @inlinable
    init(_ downstream: consuming Downstream) {
        self.downstream = downstream
    }

    @inlinable
    mutating func switched(to inner: UInt64) -> Demand {
        present = inner
        presentRuns = true
        return downstream.demand
    }

    /// Returns whether nothing more can come.
    @inlinable
    mutating func ended(_ inner: UInt64) -> Bool {
        if inner == present { presentRuns = false }
        return outerIsDone && !presentRuns
    }

    /// Returns whether nothing more can come.
    @inlinable
    mutating func outerEnded() -> Bool {
        outerIsDone = true
        return !presentRuns
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
