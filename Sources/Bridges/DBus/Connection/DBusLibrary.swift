import CDBus

/// The functions of libsystemd. They are loaded when the first connection opens; all are nil if that fails, and then no connection
/// opens.
let sdbus: cdbus = cdbus_functions()?.pointee ?? cdbus()

/// Whether there is a libsystemd.
enum DBusLibrary {
    /// Why it cannot be loaded.
    static var failure: String? { cdbus_load_failure().map { String(cString: $0) } }
}
