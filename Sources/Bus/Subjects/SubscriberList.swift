/// What stands behind a subject's one order of events and passes each to its subscribers.
@usableFromInline
package protocol SubscriberList<Value, Failure>: Observer, ~Copyable {
    /// What the subscribers hear.
    associatedtype Heard: Sendable = Value

    /// Takes a subscriber in and gives it what it is to hear first.
    mutating func add(_ slot: SubscriberSlot<Heard, Failure>)

    /// Lets go of a subscriber that was disposed of.
    mutating func remove(_ slot: SubscriberSlot<Heard, Failure>)
}

extension Fanout: SubscriberList {}

extension SerialObserver where Downstream: SubscriberList & ~Copyable {
    /// Takes in a subscriber in its turn among the events.
    ///
    /// - Parameters:
    ///   - observer: the subscriber.
    ///   - recall: gives a subscriber that comes after the end what it is to hear before it.
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
        // Nearly always nobody delivers, and then there is nothing to wait for.
        if enter() {
            Self.attach(slot, to: &downstream, termination, recall)
            // It has none from the beginning, or what it was sent at once has filled it.
            if slot.isPaused { heard(.pause) }
            leave()
        } else {
            perform { list, termination in Self.attach(slot, to: &list, termination, recall) }
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

    /// Lets go, in its turn among the events, of a subscriber that was disposed of.
    @inlinable
    func detach(_ slot: SubscriberSlot<Downstream.Heard, Failure>) {
        // With the subject gone or ended, the slot was emptied then.
        if enter() {
            downstream?.remove(slot)
            leave()
        } else {
            perform { list, _ in list?.remove(slot) }
        }
    }
}
