public import Synchronization

/// Whether one subscription is wanted; shared by the slot and the handle, so that neither holds the other.
@usableFromInline
final class SubscriptionToken: Sendable {
    @usableFromInline let isOpen = Atomic<Bool>(true)

    @usableFromInline
    init() {}
}

/// One subscriber of a subject.
@usableFromInline
final class SubscriberSlot<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline let token: SubscriptionToken
    // Touched only in the subject's order of delivery, which is one at a time.
    @exclusivity(unchecked) @usableFromInline var observer: AnyObserver<Value, Failure>?

    /// It answered stop, and hears its end next.
    @exclusivity(unchecked) @usableFromInline var hasStopped = false

    @inlinable
    init(token: SubscriptionToken, observer: consuming AnyObserver<Value, Failure>) {
        self.token = token
        self.observer = consume observer
    }

    /// Closes the slot, lets go of the chain below, and tells it the end unless it was disposed of.
    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        let wasOpen = token.isOpen.exchange(false, ordering: .acquiringAndReleasing)
        let observer = self.observer.take()
        if wasOpen { observer?.terminate(termination) }
    }
}
