/// The kinds of names that a match rule may hold.
enum DBusNameSyntax: String {
    case busName = "name on a bus"
    case interface
    case member
    case path = "object path"
    /// A well-known name or an interface, or the beginning of one.
    case namespace

    var example: String {
        switch self {
        case .busName: "org.example.Name or :1.42"
        case .interface: "org.example.Interface"
        case .member: "PropertiesChanged"
        case .path: "/org/example/Object"
        case .namespace: "org.example"
        }
    }

    func allows(_ text: String) -> Bool {
        switch self {
        case .busName: DBusNames.isBusName(text)
        case .interface: DBusNames.isInterface(text)
        case .member: DBusNames.isMember(text)
        case .path: DBusNames.isPath(text)
        case .namespace: DBusNames.isBusName(text + ".x")
        }
    }
}
