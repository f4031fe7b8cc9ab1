import Records

/// The fields of a message's record.
struct DBusFields {
    private let message: DBusMessage
    private let senderNames: [String]

    init(_ content: DBusContent) {
        message = content.message
        senderNames = content.senderNames
    }

    private enum Name: String, CaseIterable {
        case type, sender, senderName = "sender_name", destination, path, interface, member, errorName = "error_name"
        case cookie, replyCookie = "reply_cookie", unit, signature
        case arguments = "args"

        /// Made once, for a name is compared with every message.
        static let all = allCases.map { (name: $0, bytes: Array($0.rawValue.utf8)) }
    }

    /// All of them, for readers.
    func all(_ form: DBusJSON.Form) -> RecordFields {
        var fields = FieldStorage.Builder()
        for (name, bytes) in Name.all { append(name, bytes, form, to: &fields) }
        return RecordFields(fields, severity: nil)
    }

    /// The fields that a filter reads. There `sender` has all names of the sender, the unique one first.
    func read(by names: [[UInt8]]) -> RecordFields {
        var fields = FieldStorage.Builder()
        for (name, bytes) in Name.all where names.contains(bytes) {
            append(name, bytes, .plain, to: &fields)
            if name == .sender { for text in senderNames { fields.append(bytes, text: text.utf8) } }
        }
        return RecordFields(fields, severity: nil)
    }

    private func append(
        _ name: Name,
        _ bytes: [UInt8],
        _ form: DBusJSON.Form,
        to fields: inout FieldStorage.Builder
    ) {
        func add(_ text: String?) { if let text { fields.append(bytes, text: text.utf8) } }
        switch name {
        case .type: add(message.kind.word)
        case .sender: add(message.sender)
        case .senderName: for text in senderNames { add(text) }
        case .destination: add(message.destination)
        case .path: add(message.path)
        case .interface: add(message.interface)
        case .member: add(message.member)
        case .errorName: add(message.errorName)
        case .cookie: fields.append(bytes, .int(Int64(clamping: message.cookie)))
        case .replyCookie: if let cookie = message.replyCookie { fields.append(bytes, .int(Int64(clamping: cookie))) }
        case .unit: add(SystemdUnitName.of(message, from: senderNames))
        case .signature: add(message.signature)
        case .arguments: fields.append(bytes, .json(DBusJSON.text(message.arguments, form)))
        }
    }
}

extension DBusMessage.Kind {
    /// The word for it in match rules and busctl.
    package var word: String {
        switch self {
        case .methodCall: "method_call"
        case .methodReturn: "method_return"
        case .error: "error"
        case .signal: "signal"
        }
    }
}
