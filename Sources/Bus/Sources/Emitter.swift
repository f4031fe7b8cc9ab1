/// Sends the events of one subscription to a signal made by `Signals.create`.
///
/// It may be copied, kept, and used from any thread and from inside callbacks; events are put into one order. After
/// the end, or once nothing more is wanted, it does nothing. Keeping an emitter keeps the chain below it.
public struct Emitter<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let target: EmissionTarget<Value, Failure>

    @inlinable
    init(_ target: EmissionTarget<Value, Failure>) {
        self.target = target
    }

    /// Sends a value; returns whether another is wanted. It never waits. After ``Demand/pause`` a sender that can do so stops
    /// until ``whenReady(_:)`` tells it to go on. Values of other senders fill the signal's queue; beyond that they are lost
    /// and counted.
    @inlinable
    @discardableResult
    public func send(_ value: Value) -> Demand { target.send(value) }

    /// Sends a value from a task once there is room for it, and waits there until then.
    ///
    /// - Returns: whether it was sent: not after the end, nor when the task is cancelled before there is room.
    @discardableResult
    public func sendWhenReady(_ value: Value) async -> Bool {
        let demand = demand == .pause ? await ObserverReadiness.wait { whenReady($0) } : demand
        guard demand == .more else { return false }
        send(value)
        return true
    }

    /// Sends a value once there is room for it. Blocks the calling thread until then: for a thread of a C library, or of the
    /// program's own, that may be blocked.
    ///
    /// - Returns: whether it was sent: not after the end.
    /// - Throws: ``BlockingError`` inside a task and on every thread that this package has started. Nothing is sent then.
    @discardableResult
    public func sendBlocking(_ value: Value) throws(BlockingError) -> Bool {
        guard try ObserverReadiness.block({ whenReady($0) }) == .more else { return false }
        send(value)
        return true
    }

    /// Tells the observer that `count` values, which the source could not deliver, are missing here. A count of zero
    /// or less does nothing.
    public func sendLoss(of count: Int) { target.lose(count) }

    /// Completes the signal.
    public func complete() { target.end(.completed) }

    /// Fails the signal.
    public func fail(_ failure: Failure) { target.end(.failed(failure)) }

    /// Whether a value would still be heard, and whether there is room for it.
    public var demand: Demand { target.demand() }

    /// Asks to be told when there is room again; see ``Observer/whenReady(_:)``. Every request is kept until then, so ask once for
    /// each pause.
    public func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { target.wait(resume) }
}

/// The destination of an emitter. It is one object, so that copying an emitter counts one reference and not four. It stores
/// closures, because calling a generic class's methods through its base would look up the observer's type at every value.
@usableFromInline
final class EmissionTarget<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let send: @Sendable (Value) -> Demand
    @usableFromInline let lose: @Sendable (Int) -> Void
    @usableFromInline let end: @Sendable (Termination<Failure>) -> Void
    @usableFromInline let demand: @Sendable () -> Demand
    @usableFromInline let wait: @Sendable (@escaping @Sendable () -> Void) -> Demand

    @inlinable
    init(
        send: @escaping @Sendable (Value) -> Demand,
        lose: @escaping @Sendable (Int) -> Void,
        end: @escaping @Sendable (Termination<Failure>) -> Void,
        demand: @escaping @Sendable () -> Demand,
        wait: @escaping @Sendable (@escaping @Sendable () -> Void) -> Demand
    ) {
        self.send = send
        self.lose = lose
        self.end = end
        self.demand = demand
        self.wait = wait
    }
}
