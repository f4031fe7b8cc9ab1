/// Describes an object as the D-Bus specification's "Introspection Data Format" asks for. Names and signatures were
/// checked, and have no characters that XML would need escaped.
struct DBusIntrospection {
    let interfaces: [DBusInterface]
    /// The names of the objects right below.
    let children: [String]

    var xml: String {
        var lines = [
            "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
            " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">",
            "<node>",
        ]
        for interface in interfaces {
            lines.append(" <interface name=\"\(interface.name)\">")
            for method in interface.methods {
                lines.append("  <method name=\"\(method.name)\">")
                lines += arguments(method.takes, " direction=\"in\"") + arguments(method.returns, " direction=\"out\"")
                lines.append("  </method>")
            }
            for property in interface.properties {
                let access = property.set == nil ? "read" : "readwrite"
                lines.append(
                    "  <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\"/>"
                )
            }
            for signal in interface.signals {
                lines.append("  <signal name=\"\(signal.name)\">")
                lines += arguments(signal.signature, "")
                lines.append("  </signal>")
            }
            lines.append(" </interface>")
        }
        for child in children { lines.append(" <node name=\"\(child)\"/>") }
        return (lines + ["</node>", ""]).joined(separator: "\n")
    }

    private func arguments(_ signature: String, _ direction: String) -> [String] {
        let types = (try? [DBusType](signature: signature)) ?? []
        return types.map { "   <arg type=\"\($0.code)\"\(direction)/>" }
    }
}
