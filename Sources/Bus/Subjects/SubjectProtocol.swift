/// A hot signal that is sent into: ``Subject``, ``ReplaySubject``, ``CurrentValueSubject``.
///
/// The rules of ``Subject`` about order, threads, its queue and its end hold for all of them.
public protocol SubjectProtocol<Value, Failure>: Signal {
    /// Sends a value to the subscribers. After the end it does nothing.
    func send(_ value: Value)

    /// Tells the subscribers, at this point of the sequence, that `count` values are missing. After the end it does nothing,
    /// nor does a count of zero or less.
    func sendLoss(of count: Int)

    /// Completes the subject, for its subscribers and all later ones.
    func complete()

    /// Fails the subject, for its subscribers and all later ones.
    func fail(_ failure: Failure)

    /// ``Demand/stop`` after the end, when a value would not be heard; before, ``Demand/pause`` while a subscriber has no room
    /// for another value, and ``Demand/more`` otherwise, subscribers or none.
    var demand: Demand { get }

    /// Asks to be told when every subscriber has room; see ``Observer/whenReady(_:)``. Every caller's request is kept.
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand
}

extension SubjectProtocol {
    /// Sends a value from a task once every subscriber has room for it, and waits there until then.
    ///
    /// If this is the only sender, no subscriber loses a value for being slow. (If `send` with `await` had this meaning,
    /// every `send` inside a task would, also where nobody wants to wait.)
    ///
    /// - Returns: whether it was sent: not after the end of the subject, nor when the task is cancelled before there is room.
    @discardableResult
    public func sendWhenReady(_ value: Value) async -> Bool {
        let demand = demand == .pause ? await ObserverReadiness.wait { whenReady($0) } : demand
        guard demand == .more else { return false }
        send(value)
        return true
    }

    /// Sends a value once every subscriber has room for it. Blocks the calling thread until then: for threads of the
    /// program's own that produce values and have nothing else to do.
    ///
    /// If this is the only sender, no subscriber loses a value for being slow. Do not call it from inside a subscriber of the
    /// same subject, nor on a thread that a subscriber needs in order to make room, such as that of a Dispatch queue it is
    /// delivered on: the call would not return.
    ///
    /// - Returns: whether it was sent: not after the end of the subject.
    /// - Throws: ``BlockingError`` inside a task and on every thread that this package has started. Nothing is sent then.
    @discardableResult
    public func sendBlocking(_ value: Value) throws(BlockingError) -> Bool {
        guard try ObserverReadiness.block({ whenReady($0) }) == .more else { return false }
        send(value)
        return true
    }
}
