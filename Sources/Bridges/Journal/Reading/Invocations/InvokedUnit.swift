/// A unit whose invocations are looked for.
package enum InvokedUnit: Sendable, Hashable {
    /// Of the system's service manager.
    case system(String)
    /// Of the service manager of a user, by the user's number.
    case user(String, UInt32)
}
