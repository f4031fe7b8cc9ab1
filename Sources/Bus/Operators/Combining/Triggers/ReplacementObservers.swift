/// Hears the signal that is to be replaced, until it is.
@frozen
@usableFromInline
struct ReplacedObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = FlattenLatestMachine<Downstream>
    @usableFromInline var heard: LatestInnerObserver<Downstream>
    @usableFromInline let replaced: SerialDisposable

    @inlinable
    init(_ output: SerialObserver<Machine>, _ request: LatestRequest<Machine>, _ replaced: SerialDisposable) {
        heard = LatestInnerObserver(0, output, request)
        self.replaced = replaced
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { heard.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { heard.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        // Not heard, unless it confirms that nothing more is wanted.
        case .completed: if heard.output.isClosing { heard.output.terminate(.completed) }
        case .failed: heard.failed(termination)
        }
    }

    @inlinable
    var demand: Demand { heard.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { heard.whenReady(resume) }
}

/// Hears the replacement.
@frozen
@usableFromInline
struct ReplacementObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = FlattenLatestMachine<Downstream>
    @usableFromInline let output: SerialObserver<Machine>
    @usableFromInline let request: LatestRequest<Machine>
    @usableFromInline let replaced: SerialDisposable
    @usableFromInline var hasBegun = false

    @inlinable
    init(_ output: SerialObserver<Machine>, _ request: LatestRequest<Machine>, _ replaced: SerialDisposable) {
        self.output = output
        self.request = request
        self.replaced = replaced
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if !hasBegun { begin() }
        return output.next(value)
    }

    @usableFromInline
    mutating func begin() {
        hasBegun = true
        output.perform { machine, _ in _ = machine?.switched(to: 1) }
        replaced.dispose()
    }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        replaced.dispose()
        output.terminate(termination)
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
