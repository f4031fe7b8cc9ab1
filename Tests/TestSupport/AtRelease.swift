/// Calls a closure when the last reference to it is released: an object whose deinitialiser runs any code.
package final class AtRelease: Sendable {
    private let action: @Sendable () -> Void

    package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }

    /// A closure that does nothing and holds the object.
    package static func closure(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let held = AtRelease(action)
        return { withExtendedLifetime(held) {} }
    }
}
