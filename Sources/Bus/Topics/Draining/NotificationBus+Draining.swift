extension NotificationBus {
    /// The subscribers that are not done, in the order in which they subscribed, and how many values wait for each. May be called from
    /// any thread.
    ///
    /// While the bus is open, these are all subscribers of the bus and of its children. Once it is closed, these are the subscribers that have not
    /// heard the end.
    ///
    /// Values wait in the subscriber's queue, and once the subscriber's end has been enqueued behind `deliver(on:)`, in that
    /// operator. A batch that the operator has taken out of its queue counts until all of it is delivered.
    public var backlog: [SubscriberBacklog] { hub.listeners.backlog }

    /// One value, once the bus is closed and every subscriber is done. Cold.
    ///
    /// ```
    /// close()        ------x
    /// a subscriber   --1-2------3-4-|
    /// whenDrained()  ---------------()|
    /// ```
    ///
    /// A subscriber is done when it has heard the end, or when its subscription was disposed of. A subscriber behind
    /// `deliver(on:)` is done when it has heard the end on the other thread. A subscriber that walks `values()` is done when
    /// its loop has ended. Other operators that keep values for later, such as `delay`, are done when they have taken the
    /// end.
    ///
    /// - Ends: after the value.
    /// - Fails: never.
    /// - Cancelling: ends waiting. The bus is not affected.
    /// - Thread: that of the last subscriber, that of the caller of ``close()``, or, during `subscribe`, the subscriber's.
    public func whenDrained() -> some Signal<Void, Never> {
        Signals.create(of: Void.self) { [listeners = hub.listeners] emitter in
            listeners.whenDrained {
                emitter.send(())
                emitter.complete()
            }
        }
        .named("drained")
    }
}

/// A subscriber of a bus that is not done, and the number of values that wait for it. See ``NotificationBus/backlog``.
public struct SubscriberBacklog: Sendable, Hashable {
    /// The pattern that it subscribed to. For a single topic, the name of the topic.
    public let pattern: TopicPattern
    /// How many values wait for it.
    public let waiting: Int

    /// For tests: a value to compare ``NotificationBus/backlog`` with.
    public init(pattern: TopicPattern, waiting: Int) {
        self.pattern = pattern
        self.waiting = waiting
    }
}

extension SubscriberBacklog: CustomStringConvertible {
    public var description: String { "\(pattern) (\(waiting) waiting)" }
}
