/// What stands behind a subject's one order of events and passes each to its subscribers.
@usableFromInline
package protocol SubscriberList<Value, Failure>: Observer, ~Copyable {
    /// Takes a subscriber in and gives it what it is to hear first.
    mutating func add(_ slot: SubscriberSlot<Value, Failure>)

    /// Lets go of a subscriber that was disposed of.
    mutating func remove(_ slot: SubscriberSlot<Value, Failure>)
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
        recall: @escaping @Sendable (SubscriberSlot<Value, Failure>) -> Void = { _ in }
    ) -> any Disposable where Subscriber.Value == Value, Subscriber.Failure == Failure {
        attach(ObserverSlot(observer), recall: recall)
    }

    @usableFromInline
    func attach(
        _ slot: SubscriberSlot<Value, Failure>,
        recall: @escaping @Sendable (SubscriberSlot<Value, Failure>) -> Void
    ) -> any Disposable {
        perform { list, termination in
            if let termination {
                recall(slot)
                slot.terminate(slot.hasStopped ? .completed : termination)
            } else if list == nil {
                slot.release()
            } else {
                list?.add(slot)
            }
        }
        return SubjectSubscription(slot: slot, core: self)
    }
}
