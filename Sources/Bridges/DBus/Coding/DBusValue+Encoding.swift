extension DBusValue {
    /// Makes a D-Bus value from a Swift value.
    ///
    /// - A type's properties become the members of a structure, in the order in which they are encoded, or the
    ///   entries of a dictionary, by their coding keys. An optional property that is nil is left out of a dictionary,
    ///   and is an error in a structure.
    /// - Integers become every number type that can hold them, text becomes a string, an object path or a signature.
    /// - In a variant, or without a signature, the type on D-Bus is that of the Swift value: `Int` is `x`, `Int8` is `n`, `String` is `s`,
    ///   a type with properties and a dictionary with text for its keys are `a{sv}`. Elements of an array have one type, or each is put into
    ///   a variant; an empty array is `av`.
    /// - A ``DBusValue`` stands for itself.
    ///
    /// ```swift
    /// import DBusBridge
    ///
    /// struct Address: Encodable {
    ///     let host: String
    ///     let port: Int
    /// }
    ///
    /// let addresses = try DBusValue(encoding: [Address(host: "localhost", port: 80)], as: "a(sq)")
    /// ```
    ///
    /// - Parameters:
    ///   - value: the value to encode.
    ///   - signature: the one type that the result must have.
    /// - Throws: `EncodingError`, with the place in the value; ``DBusSignatureError`` when `signature` is not that of one type.
    public init(encoding value: some Encodable, as signature: String) throws {
        self = try DBusEncoding.value(of: value, as: try DBusType(signature), [])
    }

    /// Makes a value of a Swift value, with the type on D-Bus that is nearest. See ``init(encoding:as:)``.
    ///
    /// - Throws: `EncodingError`, with the place in the value.
    public init(encoding value: some Encodable) throws {
        guard case .variant(let inner) = try DBusEncoding.value(of: value, as: .variant, []) else {
            throw DBusEncoding.failure(value, "it has no type on D-Bus", [])
        }
        self = inner
    }
}

extension DBusValue: Encodable {
    /// Gives itself to an encoder for D-Bus, and to no other.
    ///
    /// - Throws: `EncodingError` with every other encoder, or when the value is not of the type asked for.
    public func encode(to encoder: any Encoder) throws {
        guard let encoding = encoder as? DBusEncoding else {
            throw DBusEncoding.failure(self, "a value of D-Bus can be encoded for D-Bus only", encoder.codingPath)
        }
        encoding.result.content = .value(try DBusEncoding.value(of: self, as: encoding.type, encoding.codingPath))
    }
}

/// Gathers the parts of a value.
final class DBusEncoded {
    enum Content {
        case nothing
        case value(DBusValue)
        case parts([(key: String?, part: DBusEncoded)])
    }

    let type: DBusType
    let codingPath: [any CodingKey]
    var content = Content.nothing
    private(set) var haveKeys = false

    init(_ type: DBusType, _ codingPath: [any CodingKey]) {
        self.type = type
        self.codingPath = codingPath
    }

    var count: Int {
        guard case .parts(let parts) = content else { return 0 }
        return parts.count
    }

    /// Begins a container, or continues one that was begun.
    func beginParts(haveKeys: Bool) {
        self.haveKeys = haveKeys
        if case .nothing = content { content = .parts([]) }
    }

    func add(_ part: DBusEncoded, _ key: String?) {
        guard case .parts(var parts) = content else { return }
        // The array must have one owner while it grows.
        content = .nothing
        parts.append((key, part))
        content = .parts(parts)
    }
}

/// Encodes one value as a type of D-Bus.
struct DBusEncoding: Encoder, SingleValueEncodingContainer {
    let result: DBusEncoded
    var type: DBusType { result.type }
    var codingPath: [any CodingKey] { result.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func value(of value: some Encodable, as type: DBusType, _ path: [any CodingKey]) throws -> DBusValue {
        if let value = value as? DBusValue {
            if type == .variant, value.type != .variant { return .variant(value) }
            guard value.type == type else {
                throw failure(value, "it is of the type '\(value.type)' and not '\(type)'", path)
            }
            return value
        }
        // An empty array of anything could be taken for one of bytes.
        if Swift.type(of: value) == [UInt8].self, let bytes = value as? [UInt8],
            type == .array(.byte) || type == .variant
        {
            return type == .variant ? .variant(.bytes(bytes)) : .bytes(bytes)
        }
        if let plain = value as? any DBusPlain {
            let isVariant = type == .variant
            guard let found = plain.value(as: isVariant ? Swift.type(of: plain).dbusType : type) else {
                throw failure(value, "the D-Bus type '\(type)' has no room for it", path)
            }
            return isVariant ? .variant(found) : found
        }
        let encoding = DBusEncoding(result: DBusEncoded(type, path))
        try value.encode(to: encoding)
        return try DBusAssembly(encoding.result).value()
    }

    static func failure(_ value: Any, _ reason: String, _ path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: reason))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        result.beginParts(haveKeys: true)
        return KeyedEncodingContainer(DBusKeyedEncoding(result: result))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        result.beginParts(haveKeys: false)
        return DBusUnkeyedEncoding(result: result)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    mutating func encodeNil() throws {
        throw Self.failure(Any?.none as Any, "D-Bus has nothing for nil", codingPath)
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        result.content = .value(try Self.value(of: value, as: type, codingPath))
    }
}
