/// Passes everything on to a ``SerialObserver``.
@frozen
@usableFromInline
struct RelayObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let output: SerialObserver<Downstream>

    @inlinable
    init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { output.terminate(termination) }

    @inlinable
    var demand: Demand { output.demand }
}
