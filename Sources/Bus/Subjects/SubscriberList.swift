/// The part of a subject behind its one order of events. It passes each event to the subscribers.
@usableFromInline
package protocol SubscriberList<Value, Failure>: Observer, ~Copyable {
    /// The type that the subscribers hear.
    associatedtype Heard: Sendable = Value

    /// Adds a subscriber and sends it the events that it hears first.
    mutating func add(_ slot: SubscriberSlot<Heard, Failure>)

    /// Releases a subscriber that was disposed of.
    mutating func remove(_ slot: SubscriberSlot<Heard, Failure>)
}

extension Fanout: SubscriberList {}

extension SerialObserver where Downstream: SubscriberList & ~Copyable {
    /// Adds a subscriber in its turn among the events.
    ///
    /// - Parameters:
    ///   - observer: the subscriber.
    ///   - recall: sends a subscriber that comes after the end the events that it hears before the end.
    @inlinable
    package func attach<Subscriber: Observer & ~Copyable>(
        _ observer: consuming Subscriber,
        recall: @escaping @Sendable (SubscriberSlot<Downstream.Heard, Failure>) -> Void = { _ in }
    ) -> any Disposable where Subscriber.Value == Downstream.Heard, Subscriber.Failure == Failure {
        attach(ObserverSlot(observer), recall: recall)
    }

    @inlinable
    func attach(
        _ slot: SubscriberSlot<Downstream.Heard, Failure>,
        recall: @escaping @Sendable (SubscriberSlot<Downstream.Heard, Failure>) -> Void
    ) -> any Disposable {
        // Usually no thread delivers, and then there is nothing to wait for.
        if enter() {
            Self.attach(slot, to: &downstream, termination, recall)
            // It has no room from the beginning, or the first events have filled it.
            if slot.isPaused { heard(.pause) }
            leave(as: .visitor)
        } else {
            perform(as: .visitor) { list, termination in Self.attach(slot, to: &list, termination, recall) }
        }
        return SubjectSubscription(slot: slot, core: self)
    }

    @inlinable
    static func attach(
        _ slot: SubscriberSlot<Downstream.Heard, Failure>,
        to list: inout Downstream?,
        _ termination: Termination<Failure>?,
        _ recall: (SubscriberSlot<Downstream.Heard, Failure>) -> Void
    ) {
        if let termination {
            recall(slot)
            slot.terminate(slot.hasStopped ? .completed : termination)
        } else {
            list?.add(slot)
        }
    }

    /// Releases, in its turn among the events, a subscriber that was disposed of.
    @inlinable
    func detach(_ slot: SubscriberSlot<Downstream.Heard, Failure>) {
        // If the subject is gone or ended, the slot was emptied then.
        if enter() {
            downstream?.remove(slot)
            leave(as: .visitor)
        } else {
            perform(as: .visitor) { list, _ in list?.remove(slot) }
        }
    }
}
