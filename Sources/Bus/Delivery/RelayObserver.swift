/// Passes everything on to a ``SerialObserver``.
@frozen
@usableFromInline
package struct RelayObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline package typealias Value = Downstream.Value
    @usableFromInline package typealias Failure = Downstream.Failure
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let sender: Sender<Downstream>

    @inlinable
    package init(_ output: SerialObserver<Downstream>, _ sender: Sender<Downstream>) {
        self.output = output
        self.sender = sender
    }

    @inlinable
    package mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    package mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    package consuming func terminate(_ termination: Termination<Failure>) { output.terminate(termination) }

    @inlinable
    package var demand: Demand { output.demand }

    @inlinable
    package mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}

/// The right to send into a ``SerialObserver``, shared by all senders.
///
/// When the last sender releases it, nothing can come any more, and the observers below are freed although no end was
/// heard. An object that all senders share anyway calls ``SerialObserver/abandon()`` from its own deinitialiser
/// instead.
@usableFromInline
package final class Sender<Downstream: Observer & ~Copyable>: Sendable {
    private let output: SerialObserver<Downstream>

    @usableFromInline
    package init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    deinit {
        output.abandon()
    }
}
