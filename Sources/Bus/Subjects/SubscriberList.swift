public import Synchronization

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

/// One subscriber of a subject.
///
/// The slot holds the observer itself (``ObserverSlot``), and is called through a closure made where the observer's type was
/// known. An overridden method would be dispatched unspecialised, and each further object between the subject and the
/// observer is memory that does not fit into a cache for 10,000 subscribers.
@usableFromInline
package class SubscriberSlot<Value: Sendable, Failure: Error>: @unchecked Sendable {
    /// Whether the subscription is wanted. The handle closes it from any thread.
    @usableFromInline let isOpen = Atomic<Bool>(true)

    // Touched, like the properties of subclasses, only in the subject's order of delivery, one event at a time.
    /// It answered stop, and hears its end next.
    @exclusivity(unchecked) @usableFromInline var hasStopped = false
    /// It answered that it has no room, and has not been asked since whether it has.
    @exclusivity(unchecked) @usableFromInline var isPaused = false
    /// Its index in the fan-out; negative while it has none.
    @exclusivity(unchecked) @usableFromInline var index = -1

    // Given the slot instead of capturing it, which would be a cycle.
    @usableFromInline let onNext: @Sendable (SubscriberSlot, Value) -> Demand

    @inlinable
    init(onNext: @escaping @Sendable (SubscriberSlot, Value) -> Demand) {
        self.onNext = onNext
    }

    /// Sends a value, unless the subscription was disposed of; remembers the answer and returns it.
    @inlinable
    @inline(__always)
    @discardableResult
    final func send(_ value: Value) -> Demand {
        guard isOpen.load(ordering: .acquiring) else { return .more }
        let demand = onNext(self, value)
        if demand != .more { answered(demand) }
        return demand
    }

    @usableFromInline
    final func answered(_ demand: Demand) {
        switch demand {
        case .more: break
        case .pause: isPaused = true
        case .stop: hasStopped = true
        }
    }

    /// Asks the observer to call back, after it has answered that it has no room.
    @usableFromInline
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { .more }

    @usableFromInline
    func lost(_ count: Int) {}

    /// Closes the slot, releases the chain below, and tells it the end unless it was disposed of.
    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {}

    /// Releases the chain below, which hears nothing.
    @usableFromInline
    func release() {}
}

/// A slot and the observer in it.
@usableFromInline
package final class ObserverSlot<Downstream: Observer & ~Copyable>:
    SubscriberSlot<Downstream.Value, Downstream.Failure>, @unchecked Sendable
{
    // See the class above.
    @exclusivity(unchecked) @usableFromInline var observer: Downstream?

    @inlinable
    package init(_ observer: consuming Downstream) {
        let isPaused = observer.demand == .pause
        self.observer = consume observer
        super.init { slot, value in
            // The closure is only ever called by the slot that stores it.
            unsafeDowncast(slot, to: ObserverSlot<Downstream>.self).observer?.next(value) ?? .stop
        }
        self.isPaused = isPaused
    }

    @usableFromInline
    override func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        isOpen.load(ordering: .acquiring) ? observer?.whenReady(resume) ?? .more : .more
    }

    @usableFromInline
    override func lost(_ count: Int) {
        if isOpen.load(ordering: .acquiring) { observer?.lost(count) }
    }

    @usableFromInline
    override func terminate(_ termination: Termination<Downstream.Failure>) {
        let wasOpen = isOpen.exchange(false, ordering: .acquiringAndReleasing)
        let observer = self.observer.take()
        if wasOpen { observer?.terminate(termination) }
    }

    @usableFromInline
    override func release() {
        isOpen.store(false, ordering: .releasing)
        observer = nil
    }
}
