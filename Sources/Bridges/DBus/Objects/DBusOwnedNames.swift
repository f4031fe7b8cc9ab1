/// The names that a connection has asked for, each with those who use it. On the connection's thread.
///
/// The bus knows only the connection. So the name is released when its last user leaves, and not before.
struct DBusOwnedNames {
    private var users: [String: Set<UInt64>] = [:]

    mutating func request(_ request: DBusNameRequest, _ output: DBusOutput, _ calls: inout DBusCalls) {
        // The objects of that name may have been refused.
        guard request.isWanted() else { return }
        users[request.name, default: []].insert(request.number)
        let arguments: [DBusValue] = [.string(request.name), .uint32(request.options.rawValue)]
        calls.begin(request.number, .bus("RequestName", arguments), request.answer, output)
    }

    mutating func leave(_ name: String, _ number: UInt64, _ output: DBusOutput, _ calls: inout DBusCalls) {
        calls.forget(number)
        guard users[name]?.remove(number) != nil, users[name]?.isEmpty == true else { return }
        users[name] = nil
        // Its answer does not matter.
        calls.begin(nil, .bus("ReleaseName", [.string(name)]), { _ in }, output)
    }
}

/// A request for a name.
struct DBusNameRequest: Sendable {
    let number: UInt64
    let name: String
    let options: DBusNameOptions
    /// Whether the name is still wanted when the request's turn comes.
    let isWanted: @Sendable () -> Bool
    let answer: DBusCalls.Answer

    var operation: String { "own the name \(name)" }
}
