import Bus
import CLinux
import CSystemd
import Glibc

/// Sends over libsystemd's object, and waits for it. On the connection's thread.
struct DBusOutput {
    let bus: OpaquePointer

    init(_ bus: OpaquePointer) {
        self.bus = bus
    }

    /// Sends a call, and returns the number by which its answer is known.
    func send(_ call: DBusCall) throws(DBusError) -> UInt64 {
        try Self.check([call.destination, call.path, call.interface, call.member], call.operation)
        var message: OpaquePointer?
        let made = sd_bus_message_new_method_call(
            bus,
            &message,
            call.destination,
            call.path,
            call.interface,
            call.member
        )
        defer { sd_bus_message_unref(message) }
        guard made >= 0, let message else { throw Self.failure(made, call.operation) }
        if !call.startsService { sd_bus_message_set_auto_start(message, 0) }
        try MessageWriting(message: message, operation: call.operation).append(call.arguments)
        var cookie: UInt64 = 0
        let sent = sd_bus_send(bus, message, &cookie)
        guard sent >= 0 else { throw Self.failure(sent, call.operation) }
        return cookie
    }

    func send(_ emission: DBusEmission) throws(DBusError) {
        try Self.check(
            [emission.path, emission.interface, emission.member, emission.destination ?? "x"],
            emission.operation
        )
        var message: OpaquePointer?
        let made = sd_bus_message_new_signal(bus, &message, emission.path, emission.interface, emission.member)
        defer { sd_bus_message_unref(message) }
        guard made >= 0, let message else { throw Self.failure(made, emission.operation) }
        if let destination = emission.destination {
            let result = sd_bus_message_set_destination(message, destination)
            guard result >= 0 else { throw Self.failure(result, emission.operation) }
        }
        try MessageWriting(message: message, operation: emission.operation).append(emission.arguments)
        let sent = sd_bus_send(bus, message, nil)
        guard sent >= 0 else { throw Self.failure(sent, emission.operation) }
    }

    /// Answers a call that nobody here serves.
    func refuse(_ message: OpaquePointer) {
        guard sd_bus_message_get_expect_reply(message) > 0 else { return }
        "org.freedesktop.DBus.Error.UnknownObject".withCString { name in
            "there is no such object or method here".withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                // What fails here ends the connection, and is told then.
                _ = sd_bus_reply_method_error(message, &error)
            }
        }
    }

    /// Waits until the bus or `wakeup` has something, or a time of the monotonic clock, in nanoseconds, has come. Answers an
    /// error's number, or 0.
    func wait(or wakeup: CInt, until deadline: Int64?) -> CInt {
        let number = sd_bus_get_fd(bus)
        guard number >= 0 else { return -number }
        let events = sd_bus_get_events(bus)
        guard events >= 0 else { return -events }
        var own: UInt64 = .max
        let result = sd_bus_get_timeout(bus, &own)
        guard result >= 0 else { return -result }
        let now = MonotonicTime.nanoseconds
        var left = own == .max ? Int64.max : max(0, Int64(clamping: own) &* 1000 &- now)
        if let deadline { left = min(left, max(0, deadline - now)) }
        return -clinux_wait_for_either(number, Int16(truncatingIfNeeded: events), wakeup, left == .max ? -1 : left)
    }

    /// Writes what is to be sent, for a second at most.
    func drain() {
        let end = MonotonicTime.nanoseconds + 1_000_000_000
        var left: UInt64 = 0
        while sd_bus_get_n_queued_write(bus, &left) >= 0, left > 0, MonotonicTime.nanoseconds < end {
            // What comes meanwhile is for nobody.
            var message: OpaquePointer?
            let result = sd_bus_process(bus, &message)
            sd_bus_message_unref(message)
            guard result >= 0 else { return }
            if result == 0, wait(or: -1, until: end) != 0 { return }
        }
    }

    static func failure(_ result: CInt, _ operation: String) -> DBusError {
        switch -result {
        case EINVAL: DBusError(.invalid("a name or a path in it is none"), operation)
        case ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN: DBusError(.disconnected, operation)
        case EMSGSIZE, ENOBUFS: DBusError(.invalid("there is too much in it, or waits to be sent"), operation)
        default: DBusError(.system(code: -result), operation)
        }
    }

    /// C takes a text to end at a zero byte.
    private static func check(_ names: [String], _ operation: String) throws(DBusError) {
        guard !names.contains(where: { $0.utf8.contains(0) }) else {
            throw DBusError(.invalid("a name with a zero byte in it"), operation)
        }
    }
}
