import Bus
import CLinux
import CDBus
import Glibc
import SystemPackage

/// Sends over libsystemd's object, and waits for it. On the connection's thread.
struct DBusOutput {
    let bus: OpaquePointer

    init(_ bus: OpaquePointer) {
        self.bus = bus
    }

    /// Sends a call, and returns the number that its answer will have.
    func send(_ call: DBusCall) throws(DBusError) -> UInt64 {
        let names = [call.destination, call.path, call.interface, call.member]
        try Self.check(names, call.operation)
        var message: OpaquePointer?
        let made = sdbus.message_new_method_call(
            bus,
            &message,
            call.destination,
            call.path,
            call.interface,
            call.member
        )
        defer { _ = sdbus.message_unref(message) }
        guard made >= 0, let message else { throw Self.failure(made, call.operation) }
        if !call.startsService { _ = sdbus.message_set_auto_start(message, 0) }
        try MessageWriting(message: message, operation: call.operation).append(call.arguments, header: names)
        var cookie: UInt64 = 0
        let sent = sdbus.send(bus, message, &cookie)
        guard sent >= 0 else { throw Self.failure(sent, call.operation) }
        return cookie
    }

    func send(_ emission: DBusEmission) throws(DBusError) {
        let names = [emission.path, emission.interface, emission.member, emission.destination ?? "x"]
        try Self.check(names, emission.operation)
        var message: OpaquePointer?
        let made = sdbus.message_new_signal(bus, &message, emission.path, emission.interface, emission.member)
        defer { _ = sdbus.message_unref(message) }
        guard made >= 0, let message else { throw Self.failure(made, emission.operation) }
        if let destination = emission.destination {
            let result = sdbus.message_set_destination(message, destination)
            guard result >= 0 else { throw Self.failure(result, emission.operation) }
        }
        try MessageWriting(message: message, operation: emission.operation).append(emission.arguments, header: names)
        let sent = sdbus.send(bus, message, nil)
        guard sent >= 0 else { throw Self.failure(sent, emission.operation) }
    }

    /// Answers a call, which expects an answer, with values. Values of other types than the method returns, or that cannot be sent, are an
    /// error for the caller.
    func answer(_ call: OpaquePointer, _ values: [DBusValue], _ method: DBusInterface.Method) {
        let types = values.map(\.type).signature
        guard types == method.returns else {
            let text = "\(method.name) answered '\(types)' and not '\(method.returns)'"
            return refuse(call, DBusReply.Name.failed, text)
        }
        var reply: OpaquePointer?
        let made = sdbus.message_new_method_return(call, &reply)
        defer { _ = sdbus.message_unref(reply) }
        guard made >= 0, let reply else { return refuse(call, DBusReply.Name.failed, SystemError.text(-made)) }
        do throws(DBusError) {
            try MessageWriting(message: reply, operation: "answer \(method.name)").append(values)
        } catch {
            return refuse(call, DBusReply.Name.failed, error.description)
        }
        // A failure here ends the connection, and is reported then.
        _ = sdbus.send(bus, reply, nil)
    }

    /// Answers a call, which expects an answer, with an error.
    func refuse(_ call: OpaquePointer, _ name: String, _ text: String) {
        let isGood = DBusNames.isInterface(name)
        (isGood ? name : DBusReply.Name.failed).withCString { name in
            // C takes a text to end at a zero byte.
            text.prefix { $0 != "\0" }.withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                _ = sdbus.reply_method_error(call, &error)
            }
        }
    }

    /// Waits until the bus or `wakeup` has something, or a time of the monotonic clock, in nanoseconds, has come. Answers an
    /// error's number, or 0.
    func wait(or wakeup: CInt, until deadline: Int64?) -> CInt {
        let number = sdbus.get_fd(bus)
        guard number >= 0 else { return -number }
        let events = sdbus.get_events(bus)
        guard events >= 0 else { return -events }
        var own: UInt64 = .max
        let result = sdbus.get_timeout(bus, &own)
        guard result >= 0 else { return -result }
        let now = MonotonicTime.nanoseconds
        var left = own == .max ? Int64.max : max(0, Int64(clamping: own) &* 1000 &- now)
        if let deadline { left = min(left, max(0, deadline - now)) }
        return -clinux_wait_for_either(number, Int16(truncatingIfNeeded: events), wakeup, left == .max ? -1 : left)
    }

    /// How many messages wait to be written.
    var waiting: UInt64 {
        var count: UInt64 = 0
        // It fails when the connection has ended, and nothing waits then.
        return sdbus.get_n_queued_write(bus, &count) >= 0 ? count : 0
    }

    /// Writes the waiting messages, for a second at most.
    func drain() {
        let end = MonotonicTime.nanoseconds + 1_000_000_000
        while waiting > 0, MonotonicTime.nanoseconds < end {
            // Messages that come meanwhile are dropped.
            var message: OpaquePointer?
            let result = sdbus.process(bus, &message)
            _ = sdbus.message_unref(message)
            guard result >= 0 else { return }
            if result == 0, wait(or: -1, until: end) != 0 { return }
        }
    }

    static func failure(_ result: CInt, _ operation: String) -> DBusError {
        switch -result {
        case EINVAL: DBusError(.invalid("invalid name or object path"), operation)
        case ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN: DBusError(.disconnected, operation)
        case EMSGSIZE, ENOBUFS: DBusError(.invalid("message too large, or send queue full"), operation)
        default: DBusError(.system(errno: Errno(rawValue: -result)), operation)
        }
    }

    /// C takes a text to end at a zero byte.
    private static func check(_ names: [String], _ operation: String) throws(DBusError) {
        guard !names.contains(where: { $0.utf8.contains(0) }) else {
            throw DBusError(.invalid("a name with a zero byte in it"), operation)
        }
    }
}
