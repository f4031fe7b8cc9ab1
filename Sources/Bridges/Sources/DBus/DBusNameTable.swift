import Bus
import DBusBridge

/// The owners of the well-known names on a bus.
final class DBusNameTable: Sendable {
    private struct State: Sendable {
        var owners: [String: String] = [:]
        var names: [String: [String]] = [:]
        var own: String?
    }

    private let state = Lock(State())

    /// The unique name of the connection that asks.
    var own: String? {
        get { state.withLock { $0.own } }
        set { state.withLock { $0.own = newValue } }
    }

    func owner(of name: String) -> String? { state.withLock { $0.owners[name] } }

    /// In alphabetical order.
    func names(of unique: String) -> [String] { state.withLock { $0.names[unique] ?? [] } }

    /// - Parameter owner: `nil` when nobody owns the name.
    func set(_ name: String, to owner: String?) {
        state.withLock { state in
            if let former = state.owners.removeValue(forKey: name) {
                state.names[former]?.removeAll { $0 == name }
                if state.names[former]?.isEmpty ?? false { state.names[former] = nil }
            }
            guard let owner else { return }
            state.owners[name] = owner
            state.names[owner, default: []].append(name)
            state.names[owner]?.sort()
        }
    }

    /// Whether the bus reports with a message that a name has a new owner.
    static func isChange(_ message: DBusMessage) -> Bool {
        message.kind == .signal && message.member == "NameOwnerChanged" && message.sender == DBusSession.bus
    }

    /// Notes a message if the bus reports with it that a name has a new owner.
    func note(_ message: DBusMessage) {
        guard Self.isChange(message), message.arguments.count == 3, let name = message.arguments[0].text,
            !name.hasPrefix(":"),
            let owner = message.arguments[2].text
        else { return }
        set(name, to: owner.isEmpty ? nil : owner)
    }
}
