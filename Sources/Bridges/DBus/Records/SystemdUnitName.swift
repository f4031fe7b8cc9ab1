/// The unit that a message from or to systemd is about.
enum SystemdUnitName {
    private static let manager = "org.freedesktop.systemd1"
    private static let interface = "org.freedesktop.systemd1.Manager"
    private static let folder = "/org/freedesktop/systemd1/unit/"

    /// - Parameter names: the well-known names of the sender.
    static func of(_ message: DBusMessage, from names: [String]) -> String? {
        // Anybody can send a signal with systemd's paths and interfaces.
        let isFromManager = names.contains(manager)
        guard isFromManager || message.kind == .methodCall && message.destination == manager else { return nil }
        if let path = message.path, path.hasPrefix(folder) { return unescaped(path.utf8.dropFirst(folder.utf8.count)) }
        guard isFromManager, message.interface == interface, let member = message.member else { return nil }
        switch member {
        case "UnitNew", "UnitRemoved": return message.arguments.first?.text
        case "JobNew", "JobRemoved": return message.arguments.dropFirst(2).first?.text
        default: return nil
        }
    }

    /// The name in the last part of a path. systemd writes each byte that a path may not have as `_` and two hexadecimal digits, and
    /// the empty name as `_`.
    static func unescaped(_ label: some Collection<UInt8>) -> String? {
        if label.elementsEqual("_".utf8) { return "" }
        var bytes: [UInt8] = []
        var rest = Array(label)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "/"): return nil
            case UInt8(ascii: "_"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
