/// An object that a notification centre tells from others by its address.
///
/// A centre keeps neither the object nor a sign that it died, so what is allocated later at the same address would be
/// taken for it. This one knows whether it still is the same.
@usableFromInline
final class WeakIdentity: @unchecked Sendable {
    // The reference is set once, and reading a weak reference is safe on any thread. What it answers is only compared or
    // asked for its address, never used.
    @usableFromInline weak let object: AnyObject?

    @usableFromInline
    init(_ object: AnyObject) {
        self.object = object
    }

    @usableFromInline var isAlive: Bool { object != nil }
}
