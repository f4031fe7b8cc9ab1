/// A type of D-Bus, which a signature spells: `a{sv}` is a dictionary of strings and variants.
///
/// The letters and the limits are those of the D-Bus specification, "Type System": a signature of 255 bytes at most,
/// 32 arrays and 32 structures within each other. A type that breaks them cannot be made from a signature; a type
/// made by hand that breaks them is refused when a value of it is sent.
public indirect enum DBusType: Sendable, Hashable {
    /// `y`
    case byte
    /// `b`
    case boolean
    /// `n`
    case int16
    /// `q`
    case uint16
    /// `i`
    case int32
    /// `u`
    case uint32
    /// `x`
    case int64
    /// `t`
    case uint64
    /// `d`
    case double
    /// `s`
    case string
    /// `o`
    case objectPath
    /// `g`
    case signature
    /// `h`
    case descriptor
    /// `v`
    case variant
    /// `a` and the type of the elements.
    case array(DBusType)
    /// `a{` key and value `}`. The key is a basic type.
    case dictionary(key: DBusType, value: DBusType)
    /// `(` one or more types `)`
    case structure([DBusType])

    /// Whether a dictionary may have such keys: it is neither a container nor a variant.
    public var isBasic: Bool {
        switch self {
        case .variant, .array, .dictionary, .structure: false
        default: true
        }
    }

    /// Its signature.
    public var code: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .variant: "v"
        case .array(let element): "a" + element.code
        case .dictionary(let key, let value): "a{" + key.code + value.code + "}"
        case .structure(let members): "(" + members.signature + ")"
        }
    }

    /// The one type that a signature names.
    ///
    /// - Throws: ``DBusSignatureError`` when the signature has a mistake, or names none or several types.
    public init(_ signature: String) throws(DBusSignatureError) {
        let types = try [DBusType](signature: signature)
        guard types.count == 1, let type = types.first else {
            throw DBusSignatureError(
                signature: signature,
                offset: 0,
                reason: "it names \(types.count) types and not one"
            )
        }
        self = type
    }
}

extension DBusType: CustomStringConvertible {
    public var description: String { code }
}

extension [DBusType] {
    /// The signature of consecutive types: `sa{sv}as`.
    public var signature: String {
        var text = ""
        for type in self { text += type.code }
        return text
    }

    /// The types of a signature, in order; none for the empty one.
    ///
    /// - Throws: ``DBusSignatureError``, with the place of the mistake.
    public init(signature: String) throws(DBusSignatureError) {
        var parser = DBusSignatureParser(signature)
        self = try parser.types()
    }
}

/// A mistake in a signature.
public struct DBusSignatureError: Error, Hashable, CustomStringConvertible {
    /// The signature, or its first 300 bytes.
    public let signature: String
    /// Where, in bytes from its start.
    public let offset: Int
    /// Why.
    public let reason: String

    public var description: String { "'\(signature)' is no signature of D-Bus: at byte \(offset), \(reason)" }
}
