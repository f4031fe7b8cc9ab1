import CLinux
import CSystemd
import Glibc

/// Begins a connection. libsystemd does the rest, the greeting among it, while the connection is served.
struct DBusOpening {
    private let address: DBusAddress

    init(_ address: DBusAddress) {
        self.address = address
    }

    func open() -> Result<OpaquePointer, DBusError> {
        var bus: OpaquePointer?
        let result = open(&bus)
        guard result >= 0, let bus else {
            sd_bus_unref(bus)
            return .failure(DBusError(.unreachable(code: -result), "reach \(address)"))
        }
        return .success(bus)
    }

    private func open(_ bus: inout OpaquePointer?) -> CInt {
        switch address.place {
        case .system: sd_bus_open_system(&bus)
        case .session: sd_bus_open_user(&bus)
        case .address(let text): start(&bus) { text.utf8.contains(0) ? -EINVAL : sd_bus_set_address($0, text) }
        case .socket(let descriptor, _): start(&bus) { bus in socket(descriptor.number) { sd_bus_set_fd(bus, $0, $0) } }
        }
    }

    private func start(_ bus: inout OpaquePointer?, _ place: (OpaquePointer?) -> CInt) -> CInt {
        var result = sd_bus_new(&bus)
        if result >= 0 { result = place(bus) }
        if result >= 0 { result = sd_bus_set_bus_client(bus, address.isBus ? 1 : 0) }
        return result >= 0 ? sd_bus_start(bus) : result
    }

    /// libsystemd closes the descriptor that it is given, once it has taken it.
    private func socket(_ number: CInt, _ give: (CInt) -> CInt) -> CInt {
        let copy = clinux_duplicate(number)
        guard copy >= 0 else { return copy }
        let result = give(copy)
        if result < 0 { close(copy) }
        return result
    }
}
