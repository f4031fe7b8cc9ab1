/// The owner of a well-known name. On the connection's thread.
final class DBusOwner {
    var unique: String?
    var users: Set<UInt64> = []

    static func rule(for name: String) -> String { DBusMatch.ownerChanges(of: name).rule }
}

extension DBusMatch {
    /// The bus's signal that a name has another owner, or none.
    static func ownerChanges(of name: String) -> DBusMatch {
        DBusMatch(sender: DBusNames.bus, interface: DBusNames.bus, member: "NameOwnerChanged", arguments: [0: name])
    }
}
