/// An object that this program offers to others: a path, and the interfaces that are served there.
///
/// Every object is introspectable and serves its properties by `org.freedesktop.DBus.Properties`; the objects above it list it.
/// See ``DBusConnection/serve(_:as:options:on:)``.
public struct DBusObject: Sendable {
    /// Where others find it on the connection, such as `/org/example/lamps/1`.
    public let path: String
    /// The interfaces besides the standard ones. No two have one name.
    public let interfaces: [DBusInterface]

    /// An object to serve. A path, name or signature that breaks a rule of D-Bus is refused when it is served.
    public init(at path: String, interfaces: [DBusInterface]) {
        self.path = path
        self.interfaces = interfaces
    }

    static func operation(_ objects: [DBusObject]) -> String {
        "serve \(objects.map(\.path).joined(separator: ", "))"
    }

    /// Why it cannot be served.
    var flaw: String? {
        guard DBusNames.isPath(path) else { return "'\(path.prefix(300))' is no object path" }
        for interface in interfaces {
            if let flaw = interface.flaw { return flaw }
        }
        return Set(interfaces.map(\.name)).count < interfaces.count ? "an interface of '\(path)' comes twice" : nil
    }
}
