/// A description of events over time, composed from sources and operators and run by subscribing.
///
/// One protocol serves hot and cold sources; which of the two a source is, its documentation says. Operators return
/// `some Signal<Value, Failure>` and compose statically: a chain of stateless operators over a sequence compiles to
/// the loop one would have written. ``AnySignal`` erases the type where a signal must be stored.
///
/// What every signal promises stands in <doc:DeliveryContract>.
public protocol Signal<Value, Failure>: Sendable {
    associatedtype Value: Sendable
    associatedtype Failure: Error

    /// Hands `observer` upstream and starts the work.
    ///
    /// Operators call this; a program calls `subscribe(next:failed:completed:)`. A synchronous source delivers all it
    /// has before this returns. The handle ends the subscription and does not keep it alive: once whatever sends is
    /// gone, the observers are freed though the handle is kept.
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure

    /// What this signal is made of, for people. Made when asked for; a signal of your own that does not say is
    /// described by the name of its type.
    var chain: Chain { get }
}

extension Signal {
    public var chain: Chain { Chain(source: Chain.name(of: Self.self)) }
}

/// The namespace of sources and of operators over several signals.
public enum Signals {}
