/// Keeps one value of a signal that sends nothing by itself.
@usableFromInline
protocol KeepingMachine: Observer, ~Copyable {
    associatedtype Kept: Sendable

    var kept: Kept? { get set }
}

/// Hears a signal of which only the latest value counts. Its end and its losses send nothing: a lost value would have
/// been as old as the value that is kept.
@frozen
@usableFromInline
struct KeptInput<Machine: KeepingMachine & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Machine.Kept
    @usableFromInline typealias Failure = Never
    // Not a sender: the downstream may be released when the signal whose values are sent is gone.
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
        // If it was told to stop, the others may be waiting for its end.
        if output.isClosing { output.terminate(.completed) }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
