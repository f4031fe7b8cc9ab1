/// A value of D-Bus, of any type that the specification has.
///
/// ```swift
/// import DBusBridge
///
/// let hint: DBusValue = ["urgency": .variant(.byte(2)), "transient": .variant(true)]
/// print(hint.type, hint["urgency"]?.unsignedInteger ?? 0)  // a{sv} 2
/// ```
public enum DBusValue: Sendable, Hashable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    /// A path such as `/org/freedesktop/systemd1`.
    case objectPath(String)
    /// The signature of types, as a value.
    case signature(String)
    /// An open file that came with a message, or is sent with one.
    case descriptor(DBusDescriptor)
    /// An array of bytes, `ay`.
    case bytes([UInt8])
    /// An array of any other elements, each of the given type.
    case array([DBusValue], of: DBusType)
    case dictionary(DBusDictionary)
    /// One or more members, each of its own type.
    case structure([DBusValue])
    /// A value that carries its type.
    indirect case variant(DBusValue)

    /// The value's type. For an array or a dictionary, the type is the one given for its elements.
    public var type: DBusType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .descriptor: .descriptor
        case .bytes: .array(.byte)
        case .array(_, let element): .array(element)
        case .dictionary(let dictionary): .dictionary(key: dictionary.keyType, value: dictionary.valueType)
        case .structure(let members): .structure(members.map(\.type))
        case .variant: .variant
        }
    }
}

/// A dictionary of D-Bus: entries in the order in which they came. A key may come more than once; the specification
/// forbids that, and nobody checks it.
public struct DBusDictionary: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public var key: DBusValue
        public var value: DBusValue

        public init(key: DBusValue, value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    public var keyType: DBusType
    public var valueType: DBusType
    public var entries: [Entry]

    public init(keyType: DBusType, valueType: DBusType, entries: [Entry] = []) {
        self.keyType = keyType
        self.valueType = valueType
        self.entries = entries
    }

    /// The value of the first entry with a key.
    public subscript(_ key: DBusValue) -> DBusValue? { entries.first { $0.key == key }?.value }
}
