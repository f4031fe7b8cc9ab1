/// An object that a notification centre identifies by its address.
///
/// A centre keeps neither the object nor a sign that it died, so an object that is allocated later at the same
/// address would be taken for it. This type knows whether it still is the same.
@usableFromInline
final class WeakIdentity: @unchecked Sendable {
    // The reference is set once, and reading a weak reference is safe on any thread. The result is only compared or
    // asked for its address, never used.
    @usableFromInline weak let object: AnyObject?

    @usableFromInline
    init(_ object: AnyObject) {
        self.object = object
    }

    @usableFromInline var isAlive: Bool { object != nil }
}
