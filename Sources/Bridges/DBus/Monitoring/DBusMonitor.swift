import Bus
import CDBus
import Glibc
import SystemPackage

/// Hears the messages between others. It runs on the thread of a link that serves nothing else.
struct DBusMonitor: Sendable {
    private static let operation = "monitor the bus"

    private let rules: [String]
    private let emitter: Emitter<DBusParcel, DBusError>
    private let test: DBusHeaderTest?
    private let capacity = DBusCapacity()

    init(rules: [String], emitter: Emitter<DBusParcel, DBusError>, admitting test: DBusHeaderTest?) {
        self.rules = rules
        self.emitter = emitter
        self.test = test
    }

    func run(_ link: DBusLink) {
        let reason: DBusError.Reason
        switch DBusOpening(address: link.address, isMonitor: true).open() {
        case .success(let bus):
            reason = listen(link, DBusOutput(bus))
            _ = sdbus.close_unref(bus)
        case .failure(let failure): reason = failure.reason
        }
        link.end(reason)
        emitter.fail(DBusError(reason, Self.operation))
    }

    private func listen(_ link: DBusLink, _ output: DBusOutput) -> DBusError.Reason {
        let request: UInt64
        do throws(DBusError) {
            request = try output.send(Self.request(rules))
        } catch {
            return error.reason
        }
        let types = DBusTypeCache()
        var isListening = false
        while !link.isClosing {
            var message: OpaquePointer?
            let result = sdbus.process(output.bus, &message)
            guard result >= 0 else { return DBusThread.reason(code: -result) }
            if let message {
                defer { _ = sdbus.message_unref(message) }
                let reading = MessageReading(message: message, types: types)
                let header = reading.header()
                if header.isDisconnection { return .disconnected }
                if isListening {
                    // The bus takes the connection's own name away, and reports that, when the connection begins to
                    // monitor.
                    if !Self.isAboutOwnName(header, output) { hear(header, reading) }
                } else if header.replyCookie == request {
                    if header.kind == .error { return Self.refusal(header, reading) }
                    isListening = true
                }
            } else if result == 0 {
                let failure = output.wait(or: link.wakeup, until: nil)
                guard failure == 0 else { return .system(errno: Errno(rawValue: failure)) }
                link.clearWakeup()
            }
        }
        return .disconnected
    }

    private func hear(_ header: DBusMessage, _ reading: MessageReading) {
        guard test?(header) ?? true else { return }
        var message = header
        do throws(DBusReadError) {
            message.arguments = try reading.arguments()
            emitter.send(message, in: capacity)
        } catch {
            emitter.sendLoss(of: 1)
        }
    }

    private static func isAboutOwnName(_ header: DBusMessage, _ output: DBusOutput) -> Bool {
        guard header.sender == DBusNames.bus, let member = header.member, let destination = header.destination,
            member == "NameLost" || member == "NameAcquired"
        else { return false }
        var name: UnsafePointer<CChar>?
        guard sdbus.get_unique_name(output.bus, &name) >= 0, let name else { return false }
        return destination == String(cString: name)
    }

    private static func request(_ rules: [String]) -> DBusCall {
        DBusCall(
            to: DBusNames.bus,
            at: DBusNames.path,
            interface: "org.freedesktop.DBus.Monitoring",
            member: "BecomeMonitor",
            arguments: [.array(rules.map(DBusValue.string), of: .string), .uint32(0)],
            timeout: nil
        )
    }

    private static func refusal(_ header: DBusMessage, _ reading: MessageReading) -> DBusError.Reason {
        let text = (try? reading.arguments())?.first?.text
        return .remote(name: header.errorName ?? "", message: text ?? "")
    }
}
