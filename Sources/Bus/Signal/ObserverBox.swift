/// Gives an observer a stable address, so that closures can share it.
@usableFromInline
package final class ObserverBox<Wrapped: Observer & ~Copyable>: @unchecked Sendable {
    // Only the subscription's one sender touches it, one event at a time (delivery contract 2), so it needs neither a
    // lock nor the dynamic exclusivity check.
    @exclusivity(unchecked)
    @usableFromInline
    package var observer: Wrapped?

    @inlinable
    package init(_ observer: consuming Wrapped) {
        self.observer = consume observer
    }
}
