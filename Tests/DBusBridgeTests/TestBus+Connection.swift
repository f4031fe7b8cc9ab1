import Bus
import DBusBridge
import TestSupport
import Testing

extension TestBus {
    var connection: DBusConnection { DBusConnection(.address(address)) }
}

extension DBusConnection {
    /// Returns when the bus has handled everything sent over this connection before.
    func settle() async throws {
        let bus = "org.freedesktop.DBus"
        _ = try await call(DBusCall(to: bus, at: "/org/freedesktop/DBus", interface: bus, member: "GetId"))
    }

    /// Serves objects, and returns when they can be called by a name.
    func serving(_ objects: [DBusObject], as name: String) async -> any Disposable {
        let named = Latch()
        let isNamed = Lock(false)
        let subscription = serve(objects, as: name).subscribe(
            next: { event in
                guard event == .nameAcquired(name) else { return }
                isNamed.withLock { $0 = true }
                named.open()
            },
            failed: { error in
                // After that, it fails when the bus or the connection ends.
                if !isNamed.withLock({ $0 }) { Issue.record("\(error)") }
                named.open()
            }
        )
        await offThePool { named.wait() }
        return subscription
    }
}
