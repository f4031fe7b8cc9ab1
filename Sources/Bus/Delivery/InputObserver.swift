/// The part of a ``SerialObserver`` that all its inputs use alike.
@usableFromInline
package protocol SerialOutput<Failure>: AnyObject, Sendable {
    associatedtype Failure: Error

    func lost(_ count: Int)
    func terminate(_ termination: Termination<Failure>)
    var demand: Demand { get }
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand
}

extension SerialObserver: SerialOutput where Downstream: ~Copyable {}

/// Hears one of the signals that send into a ``SerialObserver``. By default it passes losses and the end on to the output.
///
/// It has the output itself, also where it has an object that holds the output: reached through another object, or through this
/// protocol, the output would be retained for every value (10 ns, `flatMap's values` in the benchmark). Therefore each has a
/// `next` of its own.
@usableFromInline
package protocol InputObserver: Observer, ~Copyable {
    associatedtype Output: SerialOutput

    var output: Output { get }
}

extension InputObserver where Self: ~Copyable {
    @inlinable
    package mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    package var demand: Demand { output.demand }

    @inlinable
    package mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}

extension InputObserver where Self: ~Copyable, Failure == Output.Failure {
    @inlinable
    package consuming func terminate(_ termination: Termination<Failure>) { output.terminate(termination) }
}

/// Hears a signal whose values take no room below. The signal is not paused with the output: a source that asks before it
/// sends, such as a timer, would not be heard until there is room.
@usableFromInline
protocol RoomlessInput: InputObserver, ~Copyable {}

extension RoomlessInput where Self: ~Copyable {
    @inlinable
    var demand: Demand { output.demand.withoutPause }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}

extension Demand {
    /// The demand for values that take no room.
    @inlinable
    var withoutPause: Demand { self == .stop ? .stop : .more }
}

/// Passes everything on to a ``SerialObserver``.
@frozen
@usableFromInline
package struct RelayObserver<Downstream: Observer & ~Copyable>: InputObserver, ~Copyable {
    @usableFromInline package typealias Value = Downstream.Value
    @usableFromInline package typealias Failure = Downstream.Failure
    @usableFromInline package let output: SerialObserver<Downstream>
    @usableFromInline let sender: Sender<Downstream>

    @inlinable
    package init(_ output: SerialObserver<Downstream>, _ sender: Sender<Downstream>) {
        self.output = output
        self.sender = sender
    }

    @inlinable
    package mutating func next(_ value: Value) -> Demand { output.next(value) }
}
