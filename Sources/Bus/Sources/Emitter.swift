/// Sends the events of one subscription to a signal made by `Signals.create`.
///
/// It may be copied, kept, and used from any thread and from inside callbacks; events are put into one order. After
/// the end, or once nothing more is wanted, it does nothing. Keeping an emitter keeps the chain below it.
public struct Emitter<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let send: @Sendable (Value) -> Demand
    @usableFromInline let lose: @Sendable (Int) -> Void
    @usableFromInline let end: @Sendable (Termination<Failure>) -> Void
    @usableFromInline let currentDemand: @Sendable () -> Demand

    @usableFromInline
    init(
        send: @escaping @Sendable (Value) -> Demand,
        lose: @escaping @Sendable (Int) -> Void,
        end: @escaping @Sendable (Termination<Failure>) -> Void,
        currentDemand: @escaping @Sendable () -> Demand
    ) {
        self.send = send
        self.lose = lose
        self.end = end
        self.currentDemand = currentDemand
    }

    /// Sends a value; answers whether another is wanted. While another thread delivers, at most 1,024 values wait;
    /// the sender of the next waits for room, or, inside a task or a callback of this signal, loses it.
    @inlinable
    @discardableResult
    public func next(_ value: Value) -> Demand { send(value) }

    /// Tells the observer that `count` values are missing here, which the source could not deliver.
    public func lost(_ count: Int) { lose(count) }

    /// Completes the signal.
    public func completed() { end(.completed) }

    /// Fails the signal.
    public func failed(_ failure: Failure) { end(.failed(failure)) }

    /// Whether a value would still be heard.
    public var demand: Demand { currentDemand() }
}
