import Bus

/// Counts the bytes of a message's values, and refuses messages that the D-Bus specification forbids: an array of
/// more than 64 MiB, or a message of more than 128 MiB ("Type System", "Message Protocol").
///
/// libsystemd would write such a message, and the bus would then end the connection.
struct MessageSize {
    private static let maxArraySize = 1 << 26
    private static let maxMessageSize = 1 << 27
    /// A header has up to nine fields. Each takes eight bytes beside its text, and up to seven so that the next begins where it may.
    private static let field = 16
    private static let fields = 9
    /// The bus adds the sender's name, such as `:1.42`.
    private static let sender = 32
    /// The specification's limit for messages; libsystemd's, for containers, is the same.
    private static let maxContainers = 64

    private let operation: String
    private var bytes = 0

    /// Returns if a message with these values may be sent. `header` are the texts in its header: names, a path.
    static func check(_ values: [DBusValue], header: [String], _ operation: String) throws(DBusError) {
        var size = MessageSize(operation: operation)
        for value in values { try size.add(value, depth: 0) }
        let texts = header.reduce(0) { $0 + $1.utf8.count }
        guard size.bytes + texts + fields * field + sender <= maxMessageSize else {
            throw DBusError(.invalid("more than 128 MiB, the most that a message of D-Bus holds"), operation)
        }
    }

    private init(operation: String) {
        self.operation = operation
    }

    private mutating func add(_ value: DBusValue, depth: Int) throws(DBusError) {
        guard depth <= Self.maxContainers else {
            throw DBusError(.invalid("more than \(Self.maxContainers) containers within each other"), operation)
        }
        switch value {
        case .byte: bytes += 1
        case .int16, .uint16: add(2)
        case .boolean, .int32, .uint32, .descriptor: add(4)
        case .int64, .uint64, .double: add(8)
        case .string(let text), .objectPath(let text):
            // The length, the text and a zero.
            add(4)
            bytes += text.utf8.count + 1
        case .signature(let text): bytes += text.utf8.count + 2
        case .bytes(let array):
            try addArray(.byte) { size in size.bytes += array.count }
        case .array(let elements, let element):
            try addArray(element) { (size) throws(DBusError) in
                for value in elements { try size.add(value, depth: depth + 1) }
            }
        case .dictionary(let dictionary):
            try addArray(.structure([])) { (size) throws(DBusError) in
                for entry in dictionary.entries {
                    size.align(8)
                    try size.add(entry.key, depth: depth + 1)
                    try size.add(entry.value, depth: depth + 1)
                }
            }
        case .structure(let members):
            align(8)
            for value in members { try add(value, depth: depth + 1) }
        case .variant(let inner):
            bytes += inner.type.code.utf8.count + 2
            try add(inner, depth: depth + 1)
        }
    }

    /// The padding before the first element is no part of the array's length.
    private mutating func addArray(
        _ element: DBusType,
        _ addElements: (inout MessageSize) throws(DBusError) -> Void
    ) throws(DBusError) {
        add(4)
        align(element.alignment)
        let start = bytes
        try addElements(&self)
        guard bytes - start <= Self.maxArraySize else {
            throw DBusError(.invalid("an array of more than 64 MiB, the most that one of D-Bus holds"), operation)
        }
    }

    /// Adds a value that begins at a multiple of its size.
    private mutating func add(_ size: Int) {
        align(size)
        bytes += size
    }

    private mutating func align(_ size: Int) {
        bytes = (bytes + size - 1) & ~(size - 1)
    }
}

extension DBusType {
    /// A value begins at a multiple of this many bytes from the start of the message. D-Bus specification, "Marshaling".
    fileprivate var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .descriptor, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }
}
