public import Synchronization

/// The handle of a sequence of subscriptions, one after the other, and the flag that says whether their events may
/// pass.
///
/// An observer looks at the flag for each event, because a source that delivers while it is being subscribed to has no handle
/// yet that could stop it. The gate holds nothing that hears the values, so that handle and chain do not keep each other.
@usableFromInline
final class SubscriptionGate: Disposable {
    @usableFromInline let isClosed = Atomic<Bool>(false)
    private let present = Lock<(any Disposable)?>(nil)

    @usableFromInline
    init() {}

    /// Whether events may pass; asked for each of them, hence no lock.
    @inlinable
    var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

    @inlinable
    var isDisposed: Bool { !isOpen }

    /// Whether nothing is held that still runs.
    var isIdle: Bool { present.withLock { $0 }?.isDisposed ?? true }

    /// Takes the handle of the present subscription; the one before has ended. Disposes of it when the gate is
    /// closed.
    @usableFromInline
    func carry(_ handle: any Disposable) {
        if handle.isDisposed { return }
        let ended = present.withLock { present -> (any Disposable)? in
            let ended = present
            present = handle
            return ended
        }
        withExtendedLifetime(ended) {}
        // Closed before the handle was in place, it was not there to be disposed of.
        if isClosed.load(ordering: .sequentiallyConsistent) { disposePresent() }
    }

    /// Lets nothing pass any more, and leaves the present subscription alone. Returns whether this call is the first
    /// to close it.
    @usableFromInline
    func close() -> Bool { !isClosed.exchange(true, ordering: .sequentiallyConsistent) }

    /// Closes the gate and ends the present subscription. Returns whether this call is the first to close it.
    @usableFromInline
    @discardableResult
    func end() -> Bool {
        guard close() else { return false }
        disposePresent()
        return true
    }

    @usableFromInline
    func dispose() {
        _ = close()
        disposePresent()
    }

    private func disposePresent() {
        present.withLock { $0.take() }?.dispose()
    }
}
