import Synchronization

/// Ends one subscription to a subject. It does not hold the subject. Once either is gone, it does not hold the subscriber.
@usableFromInline
struct SubjectSubscription<List: SubscriberList & ~Copyable>: Disposable {
    private let slot: SubscriberSlot<List.Heard, List.Failure>
    private let core: SerialObserver<List>

    @usableFromInline
    init(slot: SubscriberSlot<List.Heard, List.Failure>, core: SerialObserver<List>) {
        self.slot = slot
        self.core = core
    }

    @usableFromInline
    func dispose() {
        guard slot.isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        core.detach(slot)
    }

    @usableFromInline
    var isDisposed: Bool { !slot.isOpen.load(ordering: .acquiring) }
}
