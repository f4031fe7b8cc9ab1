/// A value of D-Bus, of any type that the specification has.
///
/// ```swift
/// import DBusBridge
///
/// let hint: DBusValue = ["urgency": .variant(.byte(2)), "transient": .variant(true)]
/// print(hint.type, hint["urgency"]?.unsignedInteger ?? 0)  // a{sv} 2
/// ```
public enum DBusValue: Sendable, Hashable {
    /// An unsigned number of 8 bits, `y`. An array of them is ``bytes(_:)``.
    case byte(UInt8)
    /// True or false, `b`.
    case boolean(Bool)
    /// A signed number of 16 bits, `n`.
    case int16(Int16)
    /// An unsigned number of 16 bits, `q`.
    case uint16(UInt16)
    /// A signed number of 32 bits, `i`.
    case int32(Int32)
    /// An unsigned number of 32 bits, `u`.
    case uint32(UInt32)
    /// A signed number of 64 bits, `x`.
    case int64(Int64)
    /// An unsigned number of 64 bits, `t`.
    case uint64(UInt64)
    /// A floating-point number of 64 bits (IEEE 754), `d`.
    case double(Double)
    /// Text, `s`. Sending text with a zero byte in it fails.
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
    /// Keys and values, `a{…}`, all keys of one type and all values of one type.
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
    /// A key and its value, each of the type that the dictionary gives.
    public struct Entry: Sendable, Hashable {
        /// A value of the dictionary's ``DBusDictionary/keyType``.
        public var key: DBusValue
        /// A value of the dictionary's ``DBusDictionary/valueType``.
        public var value: DBusValue

        /// Its types are checked when the dictionary is sent.
        public init(key: DBusValue, value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The type of every key, which an empty dictionary has, too. It is a basic type.
    public var keyType: DBusType
    /// The type of every value, which an empty dictionary has, too.
    public var valueType: DBusType
    /// In the order in which they came, and in which they are sent.
    public var entries: [Entry]

    /// Sending it fails if an entry is not of these types.
    public init(keyType: DBusType, valueType: DBusType, entries: [Entry] = []) {
        self.keyType = keyType
        self.valueType = valueType
        self.entries = entries
    }

    /// The value of the first entry with a key.
    public subscript(_ key: DBusValue) -> DBusValue? { entries.first { $0.key == key }?.value }
}
