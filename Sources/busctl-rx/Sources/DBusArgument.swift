import DBusBridge

/// A bus of D-Bus, as it is typed behind `dbus:`.
struct DBusArgument: Equatable {
    let address: DBusAddress

    init(operand: String) throws {
        switch operand {
        case "system": address = .system
        case "session": address = .session
        default:
            guard operand.split(separator: ";").allSatisfy(Self.isAddress) else {
                throw BadValue(
                    description:
                        "write system, session, or the address of a bus, as in dbus:unix:path=/run/user/1000/bus"
                )
            }
            address = .address(operand)
        }
    }

    /// `transport:key=value,…`. The connecting library defines the transports.
    private static func isAddress(_ text: Substring) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        return parts[1].split(separator: ",").allSatisfy { $0.contains("=") }
    }
}
