/// A description of events over time, composed from sources and operators and run by subscribing.
///
/// One protocol serves hot and cold sources; a source's documentation says which of the two it is. Operators return
/// `some Signal<Value, Failure>` and compose statically: a chain of stateless operators over a sequence compiles to
/// the loop that one would write by hand. ``AnySignal`` erases the type where a signal must be stored.
///
/// <doc:DeliveryContract> says what every signal promises.
public protocol Signal<Value, Failure>: Sendable {
    /// The type of the values that it sends; `Never` for a signal that only ends.
    associatedtype Value: Sendable
    /// The type of the failure that may end it; `Never` for a signal that cannot fail.
    associatedtype Failure: Error

    /// Hands `observer` upstream and starts the work.
    ///
    /// Operators call this; a program calls `subscribe(next:failed:completed:)`. A synchronous source delivers all
    /// its events before this returns. The handle ends the subscription and does not keep it alive: once the sender
    /// is gone, the observers are freed although the handle is kept.
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure

    /// A description of this signal, for people. It is made when it is read. A signal of your own that has none is
    /// described by the name of its type.
    var chain: Chain { get }

    /// A description made of the type alone, without names and arguments: `[sequence<Array>] map → filter`. It is for a
    /// subscription whose signal is not kept; see ``Subscriptions/startListing()``.
    ///
    /// An operator of your own states it as `Upstream.chain.appending("myOperator")`. By default it is a source with the
    /// name of the type.
    static var chain: Chain { get }
}

extension Signal {
    public static var chain: Chain { Chain(sourceType: Self.self) }

    public var chain: Chain { Chain(source: Chain.name(of: Self.self)) }
}

/// The namespace of sources and of operators over several signals.
public enum Signals {}
