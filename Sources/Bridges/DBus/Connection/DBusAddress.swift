import SystemPackage

/// The address of a bus.
public struct DBusAddress: Sendable, Hashable, CustomStringConvertible {
    enum Place: Hashable, Sendable {
        case system
        case session
        case address(String)
        case socket(DBusDescriptor, isBus: Bool)
    }

    let place: Place

    /// The machine's bus: `DBUS_SYSTEM_BUS_ADDRESS`, else `/run/dbus/system_bus_socket`.
    public static let system = DBusAddress(place: .system)

    /// The user's bus: `DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`.
    public static let session = DBusAddress(place: .session)

    /// A bus by its address, as `unix:path=/run/user/1000/bus`; several, with `;` between them, are tried in order.
    public static func address(_ text: String) -> DBusAddress { DBusAddress(place: .address(text)) }

    /// A socket that is connected already. It serves one connection: when that has ended, no other can be made.
    ///
    /// - Parameters:
    ///   - descriptor: the socket, which is duplicated when it is needed.
    ///   - isBus: whether a bus is at its other end, as against one other program.
    public static func socket(_ descriptor: DBusDescriptor, isBus: Bool = true) -> DBusAddress {
        DBusAddress(place: .socket(descriptor, isBus: isBus))
    }

    public var description: String {
        switch place {
        case .system: "the system bus"
        case .session: "the session bus"
        case .address(let text): "the bus at \(text)"
        case .socket(let descriptor, _): "the bus at descriptor \(descriptor.fileDescriptor.rawValue)"
        }
    }

    var isBus: Bool {
        guard case .socket(_, let isBus) = place else { return true }
        return isBus
    }
}
