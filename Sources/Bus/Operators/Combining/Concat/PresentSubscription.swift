public import Synchronization

/// The handle of something that is served by one subscription after another: ends whichever is the present one.
@usableFromInline
final class PresentSubscription: Disposable {
    /// Looked at before every event, so that nothing comes after disposal though the next signal was just subscribed
    /// to.
    @usableFromInline let isOver = Atomic<Bool>(false)
    @usableFromInline let present = Lock<(any Disposable)?>(nil)

    @usableFromInline
    init() {}

    /// Puts the handle of a running subscription in place of one that has ended.
    @usableFromInline
    func replace(by handle: any Disposable) {
        if handle.isDisposed { return }
        let ended = present.withLock { present -> (any Disposable)? in
            let ended = present
            present = handle
            return ended
        }
        // Released here, not under the lock.
        withExtendedLifetime(ended) {}
        // Disposed of before the handle was in place, it was not there to be ended.
        if isOver.load(ordering: .sequentiallyConsistent) { end() }
    }

    @usableFromInline
    func dispose() {
        isOver.store(true, ordering: .sequentiallyConsistent)
        end()
    }

    private func end() {
        present.withLock { $0.take() }?.dispose()
    }

    @usableFromInline
    var isDisposed: Bool { isOver.load(ordering: .acquiring) }
}
