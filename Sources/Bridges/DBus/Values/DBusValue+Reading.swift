/// The content of a value, whatever its exact type. For a variant, the content of its value.
extension DBusValue {
    /// The value itself, or the content of the variant, through any number of variants.
    public var unwrapped: DBusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// The text of a string, an object path or a signature.
    public var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text), .signature(let text): text
        default: nil
        }
    }

    /// The value of a boolean; nil for any other type, numbers among them.
    public var bool: Bool? {
        guard case .boolean(let value) = unwrapped else { return nil }
        return value
    }

    /// A number of any integer type, if an `Int64` can hold it.
    public var integer: Int64? {
        switch unwrapped {
        case .byte(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// A number of any integer type, if it is not negative.
    public var unsignedInteger: UInt64? {
        guard case .uint64(let value) = unwrapped else { return integer.flatMap { UInt64(exactly: $0) } }
        return value
    }

    /// A number of any type, rounded to a `Double` where it must be.
    public var number: Double? {
        switch unwrapped {
        case .double(let value): value
        case .uint64(let value): Double(value)
        default: integer.map(Double.init)
        }
    }

    /// The elements of an array, the bytes of `ay`, or the members of a structure.
    public var elements: [DBusValue]? {
        switch unwrapped {
        case .array(let elements, _), .structure(let elements): elements
        case .bytes(let bytes): bytes.map(DBusValue.byte)
        default: nil
        }
    }

    /// The value of a dictionary's text key.
    public subscript(_ key: String) -> DBusValue? {
        guard case .dictionary(let dictionary) = unwrapped else { return nil }
        return dictionary.entries.first { $0.key.text == key }?.value
    }
}

extension DBusValue: ExpressibleByStringLiteral {
    /// A string; an object path and a signature have to be spelt as such.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension DBusValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension DBusValue: ExpressibleByDictionaryLiteral {
    /// A dictionary with string keys and variants, `a{sv}`, which most interfaces take. Values that are no variants
    /// are wrapped in one.
    public init(dictionaryLiteral elements: (String, DBusValue)...) {
        self = .dictionary(
            DBusDictionary(
                keyType: .string,
                valueType: .variant,
                entries: elements.map { key, value in
                    if case .variant = value { return .init(key: .string(key), value: value) }
                    return .init(key: .string(key), value: .variant(value))
                }
            )
        )
    }
}
