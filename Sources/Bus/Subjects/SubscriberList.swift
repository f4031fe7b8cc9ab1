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
    @inlinable
    package func attach<Subscriber: Observer & ~Copyable>(
        _ observer: consuming Subscriber
    ) -> any Disposable where Subscriber.Value == Downstream.Heard, Subscriber.Failure == Failure {
        let slot = ObserverSlot(observer)
        // Usually no thread delivers, and then there is nothing to wait for.
        if enter() {
            Self.attach(slot, to: &downstream, termination)
            // It has no room from the beginning, or the first events have filled it.
            if slot.isPaused { heard(.pause) }
            leave(as: .visitor)
        } else {
            perform(as: .visitor) { list, termination in Self.attach(slot, to: &list, termination) }
        }
        return SubjectSubscription(slot: slot, core: self)
    }

    @inlinable
    static func attach(
        _ slot: SubscriberSlot<Downstream.Heard, Failure>,
        to list: inout Downstream?,
        _ termination: Termination<Failure>?
    ) {
        if let termination { slot.terminate(termination) } else { list?.add(slot) }
    }

    /// Releases, in its turn among the events, a subscriber that was disposed of.
    @inlinable
    func detach(_ slot: SubscriberSlot<Downstream.Heard, Failure>) {
        if enter() {
            Self.detach(slot, from: &downstream)
            leave(as: .visitor)
        } else {
            perform(as: .visitor) { list, _ in Self.detach(slot, from: &list) }
        }
    }

    @inlinable
    static func detach(_ slot: SubscriberSlot<Downstream.Heard, Failure>, from list: inout Downstream?) {
        // If the subject is gone or ended, the slot is empty, or is being sent what the subject keeps.
        if list == nil { slot.release() } else { list?.remove(slot) }
    }
}
