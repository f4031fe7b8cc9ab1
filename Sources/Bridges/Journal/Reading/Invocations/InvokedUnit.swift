/// A unit whose invocations are searched for.
package enum InvokedUnit: Sendable, Hashable {
    /// A unit of the system's service manager.
    case system(String)
    /// A unit of a user's service manager, by the user's number.
    case user(String, UInt32)
}
