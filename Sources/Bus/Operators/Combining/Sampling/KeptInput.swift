/// Keeps one value of a signal that sends nothing by itself.
@usableFromInline
protocol KeepingMachine: Observer, ~Copyable {
    associatedtype Kept: Sendable

    var kept: Kept? { get set }
}

/// Hears a signal of which only the latest value counts. Its end says nothing, and neither do its losses: what would
/// have been lost is as old as what is kept.
@frozen
@usableFromInline
struct KeptInput<Machine: KeepingMachine & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Machine.Kept
    @usableFromInline typealias Failure = Never
    // No sender: what is below may go when the signal whose values are sent does.
    @usableFromInline let output: SerialObserver<Machine>

    @inlinable
    init(_ output: SerialObserver<Machine>) {
        self.output = output
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        output.sendNow {
            $0.kept = value
            return $0.demand
        } ?? nextLater(value)
    }

    @usableFromInline
    func nextLater(_ value: Value) -> Demand {
        output.sendLater {
            $0.kept = value
            return $0.demand
        }
    }

    @inlinable
    mutating func lost(_ count: Int) {}

    @usableFromInline
    consuming func terminate(_ termination: Termination<Never>) {
        // Told to stop, it may be the one that everybody waits for.
        if output.isClosing { output.terminate(.completed) }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
