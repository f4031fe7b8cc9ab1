/// The types of the signatures that a connection has seen, so that each is taken apart once. On the connection's thread.
final class DBusTypeCache {
    /// A peer may make up signatures without end.
    private static let maxCount = 1024

    private var known: [String: [DBusType]] = [:]

    /// The types of a signature; none for an invalid one.
    func types(_ signature: String) -> [DBusType] {
        if let types = known[signature] { return types }
        if known.count == Self.maxCount { known = [:] }
        let types = (try? [DBusType](signature: signature)) ?? []
        known[signature] = types
        return types
    }
}
