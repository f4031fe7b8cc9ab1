import CDBus
import CLinux
import Glibc
import SystemPackage

/// Begins a connection. libsystemd does the rest, the greeting among it, while the connection is served.
struct DBusOpening {
    let address: DBusAddress
    /// Whether the connection only hears messages between others, and never answers.
    var isMonitor = false

    func open() -> Result<OpaquePointer, DBusError> {
        if let reason = DBusLibrary.failure { return .failure(DBusError(.noLibrary(reason), "reach \(address)")) }
        var bus: OpaquePointer?
        let result = start(&bus)
        guard result >= 0, let bus else {
            _ = sdbus.unref(bus)
            return .failure(DBusError(.unreachable(errno: Errno(rawValue: -result)), "reach \(address)"))
        }
        return .success(bus)
    }

    private func start(_ bus: inout OpaquePointer?) -> CInt {
        var result = sdbus.new(&bus)
        if result >= 0 { result = setPlace(of: bus) }
        if result >= 0 { result = sdbus.set_bus_client(bus, address.isBus ? 1 : 0) }
        if result >= 0, isMonitor { result = sdbus.set_monitor(bus, 1) }
        return result >= 0 ? sdbus.start(bus) : result
    }

    private func setPlace(of bus: OpaquePointer?) -> CInt {
        switch address.place {
        case .socket(let descriptor, _): give(descriptor, to: bus)
        case .address(let text): setAddress(text, of: bus)
        case .system: setAddress(variable("DBUS_SYSTEM_BUS_ADDRESS") ?? Self.systemBus, of: bus)
        case .session: setAddress(variable("DBUS_SESSION_BUS_ADDRESS") ?? userBus, of: bus)
        }
    }

    private static let systemBus = "unix:path=/run/dbus/system_bus_socket"

    /// The bus of the user's service manager. The directory's name is escaped as the D-Bus specification asks for in addresses.
    private var userBus: String? {
        guard let directory = variable("XDG_RUNTIME_DIR") else { return nil }
        let escaped = directory.utf8.map { byte in
            let character = UnicodeScalar(byte)
            let isPlain =
                byte < 128
                && (character.properties.isAlphabetic || (48...57).contains(byte)
                    || "-_/.\\*".unicodeScalars.contains(character))
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "unix:path=\(escaped.joined())/bus"
    }

    /// A variable of the environment, unless the program has more rights than its caller.
    private func variable(_ name: String) -> String? {
        guard let text = cdbus_variable(name), text.pointee != 0 else { return nil }
        return String(cString: text)
    }

    private func setAddress(_ text: String?, of bus: OpaquePointer?) -> CInt {
        guard let text else { return -ENOMEDIUM }
        return text.utf8.contains(0) ? -EINVAL : sdbus.set_address(bus, text)
    }

    /// libsystemd closes the descriptor that it is given, once it has taken it.
    private func give(_ descriptor: DBusDescriptor, to bus: OpaquePointer?) -> CInt {
        let copy = clinux_duplicate(descriptor.fileDescriptor.rawValue)
        guard copy >= 0 else { return copy }
        let result = sdbus.set_fd(bus, copy, copy)
        if result < 0 { close(copy) }
        return result
    }
}
