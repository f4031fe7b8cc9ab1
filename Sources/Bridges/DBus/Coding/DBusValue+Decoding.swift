extension DBusValue {
    /// Converts this value to a value of a Swift type.
    ///
    /// - A structure fills the properties of a type in the order in which the type decodes them, which is that of their declaration unless
    ///   it has its own `init(from:)`; its elements also fill an array.
    /// - A dictionary fills a type's properties by their coding keys, or a Swift dictionary. A key that the type does
    ///   not know is ignored; a missing key is an error, unless the property is optional.
    /// - Integers fill every integer type that can hold them, and floating-point types; object paths and signatures are text.
    /// - A variant stands for its content, except where the type is ``DBusValue``, which takes the value as it is.
    ///
    /// ```swift
    /// import DBusBridge
    ///
    /// struct Session: Decodable {
    ///     let id: String
    ///     let uid: UInt32
    /// }
    ///
    /// let answer: DBusValue = .array([.structure([.string("c1"), .uint32(1000)])], of: .structure([.string, .uint32]))
    /// print(try answer.decode([Session].self)[0].id)
    /// ```
    ///
    /// - Throws: `DecodingError`, with the place in the value.
    public func decode<Decoded: Decodable>(_ type: Decoded.Type = Decoded.self) throws -> Decoded {
        try DBusDecoding(value: self, codingPath: []).decode(type)
    }
}

extension DBusMessage {
    /// Converts the arguments to a value of a Swift type: the only argument, or all of them as a structure. See
    /// ``DBusValue/decode(_:)``.
    ///
    /// - Throws: `DecodingError`, with the place in the value.
    public func decode<Decoded: Decodable>(_ type: Decoded.Type = Decoded.self) throws -> Decoded {
        try (arguments.count == 1 ? arguments[0] : .structure(arguments)).decode(type)
    }
}

extension DBusValue: Decodable {
    /// Takes the value as it is, from D-Bus only.
    ///
    /// - Throws: `DecodingError` from every other decoder.
    public init(from decoder: any Decoder) throws {
        guard let decoding = decoder as? DBusDecoding else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a value of D-Bus can be decoded from D-Bus only"
                )
            )
        }
        self = decoding.value
    }
}

/// Decodes one value, and is its container if it holds one value.
struct DBusDecoding: Decoder, SingleValueDecodingContainer {
    let value: DBusValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        if type == DBusValue.self, let value = value as? Decoded { return value }
        if type == [UInt8].self, case .bytes(let bytes) = value.unwrapped, let value = bytes as? Decoded {
            return value
        }
        if let plain = type as? any DBusPlain.Type {
            guard let value = plain.init(from: value.unwrapped) as? Decoded else { throw mismatch(type) }
            return value
        }
        return try Decoded(from: self)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch value.unwrapped {
        case .dictionary(let dictionary):
            KeyedDecodingContainer(DBusDictionaryDecoding(dictionary, codingPath))
        case .structure(let members):
            KeyedDecodingContainer(DBusStructureDecoding(members, codingPath))
        default: throw mismatch([String: DBusValue].self)
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if case .dictionary(let dictionary) = value.unwrapped {
            // Swift decodes a dictionary whose keys are not text from alternating keys and values.
            return DBusElementsDecoding(dictionary.entries.flatMap { [$0.key, $0.value] }, codingPath)
        }
        guard let elements = value.elements else { throw mismatch([DBusValue].self) }
        return DBusElementsDecoding(elements, codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }

    private func mismatch(_ type: any Any.Type) -> DecodingError {
        DecodingError.typeMismatch(
            type,
            .init(
                codingPath: codingPath,
                debugDescription: "a value of the D-Bus type '\(value.unwrapped.type)' is none"
            )
        )
    }
}
