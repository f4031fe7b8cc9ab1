import Bus
import CDBus
import SystemPackage

/// Writes values into a message of libsystemd. On the connection's thread.
struct MessageWriting {
    let message: OpaquePointer
    let operation: String

    /// Nothing is written if the message would be larger than D-Bus allows. `header` has the texts in its header.
    func append(_ values: [DBusValue], header: [String] = []) throws(DBusError) {
        try MessageSize.check(values, header: header, operation)
        // The elements of arrays have the arrays' types; the content of a variant is checked separately.
        try check(values.map(\.type))
        for value in values { try append(value) }
    }

    private func append(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .byte(let number): try basic("y", number)
        case .boolean(let bool): try basic("b", bool ? 1 as CInt : 0)
        case .int16(let number): try basic("n", number)
        case .uint16(let number): try basic("q", number)
        case .int32(let number): try basic("i", number)
        case .uint32(let number): try basic("u", number)
        case .int64(let number): try basic("x", number)
        case .uint64(let number): try basic("t", number)
        case .double(let number): try basic("d", number)
        case .descriptor(let descriptor): try basic("h", descriptor.fileDescriptor.rawValue)
        case .string(let text): try string("s", text)
        case .objectPath(let text): try string("o", text)
        case .signature(let text): try string("g", text)
        case .bytes(let bytes):
            let result = bytes.withUnsafeBytes {
                sdbus.message_append_array(message, letter("y"), $0.baseAddress, $0.count)
            }
            guard result >= 0 else { throw DBusError(.system(errno: Errno(rawValue: -result)), operation) }
        case .array(let elements, let element):
            try inside("a", element.code) { () throws(DBusError) in
                for value in elements {
                    try same(value.type, element)
                    try append(value)
                }
            }
        case .dictionary(let dictionary):
            let (key, element) = (dictionary.keyType, dictionary.valueType)
            let contents = key.code + element.code
            try inside("a", "{\(contents)}") { () throws(DBusError) in
                for entry in dictionary.entries {
                    try same(entry.key.type, key)
                    try same(entry.value.type, element)
                    try inside("e", contents) { () throws(DBusError) in
                        try append(entry.key)
                        try append(entry.value)
                    }
                }
            }
        case .structure(let members):
            try inside("r", members.map(\.type).signature) { () throws(DBusError) in
                for value in members { try append(value) }
            }
        case .variant(let inner):
            try check([inner.type])
            try inside("v", inner.type.code) { () throws(DBusError) in try append(inner) }
        }
    }

    private func check(_ types: [DBusType]) throws(DBusError) {
        do throws(DBusSignatureError) {
            _ = try [DBusType](signature: types.signature)
        } catch {
            throw DBusError(.invalid(error.description), operation)
        }
    }

    private func same(_ type: DBusType, _ declared: DBusType) throws(DBusError) {
        guard type == declared else {
            throw DBusError(.invalid("a \(type) stands in a container of \(declared)"), operation)
        }
    }

    private func inside(_ kind: String, _ contents: String, _ write: () throws(DBusError) -> Void) throws(DBusError) {
        let result = sdbus.message_open_container(message, letter(kind), contents)
        guard result >= 0 else {
            throw DBusError(
                .invalid("a container of '\(contents.prefix(300))': \(SystemError.text(-result))"),
                operation
            )
        }
        try write()
        let closed = sdbus.message_close_container(message)
        guard closed >= 0 else { throw DBusError(.system(errno: Errno(rawValue: -closed)), operation) }
    }

    private func basic<Number: BitwiseCopyable>(_ kind: String, _ number: Number) throws(DBusError) {
        let result = withUnsafePointer(to: number) { sdbus.message_append_basic(message, letter(kind), $0) }
        guard result >= 0 else { throw DBusError(.system(errno: Errno(rawValue: -result)), operation) }
    }

    private func string(_ kind: String, _ text: String) throws(DBusError) {
        guard !text.utf8.contains(0) else { throw DBusError(.invalid("text with a zero byte in it"), operation) }
        let result = text.withCString { sdbus.message_append_basic(message, letter(kind), $0) }
        guard result >= 0 else {
            throw DBusError(
                .invalid("'\(text.prefix(300))' is no \(kind == "o" ? "object path" : "signature")"),
                operation
            )
        }
    }

    private func letter(_ text: String) -> CChar { CChar(bitPattern: text.utf8.first ?? 0) }
}
