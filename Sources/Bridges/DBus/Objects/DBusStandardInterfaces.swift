/// The interfaces that every object has.
extension DBusInterface {
    static let introspectable = DBusInterface(DBusNames.introspectable).method("Introspect", returns: "s") { _ in
        // The connection's thread, which knows the objects below, answers it.
        []
    }

    /// Reads and writes the properties of other interfaces.
    static func properties(of interfaces: [DBusInterface]) -> DBusInterface {
        let table = DBusPropertyTable(interfaces)
        return DBusInterface(DBusNames.properties)
            .method("Get", takes: "ss", returns: "v") { call in
                [.variant(try table.property(call.arguments[0].text, call.arguments[1].text).get())]
            }
            .method("GetAll", takes: "s", returns: "a{sv}") { call in
                [.dictionary(try table.all(of: call.arguments[0].text))]
            }
            .method("Set", takes: "ssv") { call in
                let property = try table.property(call.arguments[0].text, call.arguments[1].text)
                guard let set = property.set else {
                    throw DBusReplyError(name: DBusReply.Name.readOnly, message: "\(property.name) cannot be set")
                }
                guard case .variant(let value) = call.arguments[2], value.type.code == property.signature else {
                    throw DBusReplyError(
                        name: DBusReply.Name.arguments,
                        message: "\(property.name) is of type \(property.signature)"
                    )
                }
                try set(value)
                return []
            }
            .signal("PropertiesChanged", carries: "sa{sv}as")
    }
}

/// The properties of an object's interfaces, by name.
struct DBusPropertyTable: Sendable {
    private let interfaces: [DBusInterface]

    init(_ interfaces: [DBusInterface]) {
        self.interfaces = interfaces
    }

    /// A property; with an empty name of an interface, the first of that name.
    func property(_ interface: String?, _ name: String?) throws -> DBusInterface.Property {
        for candidate in try meant(interface) {
            if let property = candidate.properties.first(where: { $0.name == name }) { return property }
        }
        throw DBusReplyError(
            name: DBusReply.Name.property,
            message: "there is no property '\(name ?? "")' of '\(interface ?? "")'"
        )
    }

    func all(of interface: String?) throws -> DBusDictionary {
        var dictionary = DBusDictionary(keyType: .string, valueType: .variant)
        for interface in try meant(interface) {
            for property in interface.properties {
                dictionary.entries.append(.init(key: .string(property.name), value: .variant(try property.get())))
            }
        }
        return dictionary
    }

    private func meant(_ name: String?) throws -> [DBusInterface] {
        guard let name, !name.isEmpty else { return interfaces }
        let meant = interfaces.filter { $0.name == name }
        let isStandard = name == DBusNames.properties || name == DBusNames.introspectable
        guard !meant.isEmpty || isStandard else {
            throw DBusReplyError(name: DBusReply.Name.interface, message: "there is no interface '\(name)' here")
        }
        return meant
    }
}
