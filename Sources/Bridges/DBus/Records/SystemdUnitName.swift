/// The unit that a message from or to systemd is about.
enum SystemdUnitName {
    private static let manager = "org.freedesktop.systemd1"
    private static let interface = "org.freedesktop.systemd1.Manager"

    /// - Parameter names: the well-known names of the sender.
    static func of(_ message: DBusMessage, from names: [String]) -> String? {
        // Anybody can send a signal with systemd's paths and interfaces.
        let isFromManager = names.contains(manager)
        guard isFromManager || message.kind == .methodCall && message.destination == manager else { return nil }
        if let unit = message.path.flatMap(DBusLabel.unit) { return unit }
        guard isFromManager, message.interface == interface, let member = message.member else { return nil }
        switch member {
        case "UnitNew", "UnitRemoved": return message.arguments.first?.text
        case "JobNew", "JobRemoved": return message.arguments.dropFirst(2).first?.text
        default: return nil
        }
    }
}
