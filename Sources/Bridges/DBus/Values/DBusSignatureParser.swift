/// Goes through a signature once. Its recursion is bounded by the limits of the specification.
struct DBusSignatureParser {
    private static let maxLength = 255
    private static let deepest = 32

    private let signature: String
    private let bytes: [UInt8]
    private var position = 0
    private var arrays = 0
    private var structures = 0

    init(_ signature: String) {
        self.signature = signature
        bytes = Array(signature.utf8.prefix(Self.maxLength + 1))
    }

    mutating func types() throws(DBusSignatureError) -> [DBusType] {
        guard bytes.count <= Self.maxLength else {
            throw wrong("it is longer than \(Self.maxLength) bytes", at: Self.maxLength)
        }
        var types: [DBusType] = []
        while position < bytes.count { types.append(try type()) }
        return types
    }

    private mutating func type() throws(DBusSignatureError) -> DBusType {
        guard position < bytes.count else { throw wrong("a type is missing", at: position) }
        let start = position
        position += 1
        switch bytes[start] {
        case UInt8(ascii: "a"): return try array(at: start)
        case UInt8(ascii: "("): return try structure(at: start)
        default:
            guard let type = DBusType(letter: bytes[start]) else {
                throw wrong("'\(Character(UnicodeScalar(bytes[start])))' is no type", at: start)
            }
            return type
        }
    }

    private mutating func array(at start: Int) throws(DBusSignatureError) -> DBusType {
        arrays += 1
        defer { arrays -= 1 }
        guard arrays <= Self.deepest else {
            throw wrong("more than \(Self.deepest) arrays within each other", at: start)
        }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { return .array(try type()) }
        // The specification counts the entry of a dictionary as a structure.
        try enter(at: position)
        position += 1
        let place = position
        let key = try type()
        guard key.isBasic else { throw wrong("a key must be a basic type", at: place) }
        let value = try type()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "}") else {
            throw wrong("a dictionary has one type of keys and one of values, then '}'", at: position)
        }
        position += 1
        structures -= 1
        return .dictionary(key: key, value: value)
    }

    private mutating func structure(at start: Int) throws(DBusSignatureError) -> DBusType {
        try enter(at: start)
        var members: [DBusType] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: ")") { members.append(try type()) }
        guard position < bytes.count else {
            throw wrong("the ')' of the '(' at byte \(start) is missing", at: position)
        }
        guard !members.isEmpty else { throw wrong("a structure has at least one member", at: position) }
        position += 1
        structures -= 1
        return .structure(members)
    }

    private mutating func enter(at start: Int) throws(DBusSignatureError) {
        structures += 1
        guard structures <= Self.deepest else {
            throw wrong("more than \(Self.deepest) structures within each other", at: start)
        }
    }

    private func wrong(_ reason: String, at offset: Int) -> DBusSignatureError {
        DBusSignatureError(signature: String(signature.prefix(300)), offset: offset, reason: reason)
    }
}

extension DBusType {
    /// The type of one letter.
    init?(letter: UInt8) {
        switch letter {
        case UInt8(ascii: "y"): self = .byte
        case UInt8(ascii: "b"): self = .boolean
        case UInt8(ascii: "n"): self = .int16
        case UInt8(ascii: "q"): self = .uint16
        case UInt8(ascii: "i"): self = .int32
        case UInt8(ascii: "u"): self = .uint32
        case UInt8(ascii: "x"): self = .int64
        case UInt8(ascii: "t"): self = .uint64
        case UInt8(ascii: "d"): self = .double
        case UInt8(ascii: "s"): self = .string
        case UInt8(ascii: "o"): self = .objectPath
        case UInt8(ascii: "g"): self = .signature
        case UInt8(ascii: "h"): self = .descriptor
        case UInt8(ascii: "v"): self = .variant
        default: return nil
        }
    }
}
