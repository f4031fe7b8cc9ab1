/// The parts of a structure or a dictionary.
struct DBusKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let result: DBusEncoded
    var codingPath: [any CodingKey] { result.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        guard case .structure = result.type else { return }
        throw DBusEncoding.failure(Any?.none as Any, "a member of a structure cannot be nil", codingPath + [key])
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let part = try part(key)
        part.content = .value(try DBusEncoding.value(of: value, as: part.type, part.codingPath))
        result.add(part, key.stringValue)
    }

    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        guard let value else { return try encodeNil(forKey: key) }
        try encode(value, forKey: key)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        let part = nested(key)
        part.beginParts(haveKeys: true)
        return KeyedEncodingContainer(DBusKeyedEncoding<Nested>(result: part))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let part = nested(key)
        part.beginParts(haveKeys: false)
        return DBusUnkeyedEncoding(result: part)
    }

    mutating func superEncoder() -> any Encoder { DBusEncoding(result: nested(DBusCodingKey(stringValue: "super"))) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { DBusEncoding(result: nested(key)) }

    private func nested(_ key: some CodingKey) -> DBusEncoded {
        // A wrong type is found when the parts are put together.
        let part = (try? part(key)) ?? DBusEncoded(.variant, codingPath + [key])
        result.add(part, key.stringValue)
        return part
    }

    private func part(_ key: some CodingKey) throws -> DBusEncoded {
        let path = codingPath + [key]
        switch result.type {
        case .structure(let members):
            guard result.count < members.count else {
                throw DBusEncoding.failure(key.stringValue, "the structure '\(result.type)' has no member for it", path)
            }
            return DBusEncoded(members[result.count], path)
        case .dictionary(_, let value): return DBusEncoded(value, path)
        case .variant: return DBusEncoded(.variant, path)
        default: throw DBusEncoding.failure(key.stringValue, "the D-Bus type '\(result.type)' has no members", path)
        }
    }
}

/// The elements of an array or of a structure, or the alternating keys and values of a dictionary.
struct DBusUnkeyedEncoding: UnkeyedEncodingContainer {
    let result: DBusEncoded
    var codingPath: [any CodingKey] { result.codingPath }
    var count: Int { result.count }

    mutating func encodeNil() throws {
        throw DBusEncoding.failure(Any?.none as Any, "D-Bus has nothing for nil", codingPath + [DBusCodingKey(count)])
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let part = try part()
        part.content = .value(try DBusEncoding.value(of: value, as: part.type, part.codingPath))
        result.add(part, nil)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let part = nested()
        part.beginParts(haveKeys: true)
        return KeyedEncodingContainer(DBusKeyedEncoding<Nested>(result: part))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let part = nested()
        part.beginParts(haveKeys: false)
        return DBusUnkeyedEncoding(result: part)
    }

    mutating func superEncoder() -> any Encoder { DBusEncoding(result: nested()) }

    private func nested() -> DBusEncoded {
        // A wrong type is found when the parts are put together.
        let part = (try? part()) ?? DBusEncoded(.variant, codingPath + [DBusCodingKey(count)])
        result.add(part, nil)
        return part
    }

    private func part() throws -> DBusEncoded {
        let path = codingPath + [DBusCodingKey(count)]
        switch result.type {
        case .array(let element): return DBusEncoded(element, path)
        case .structure(let members) where count < members.count: return DBusEncoded(members[count], path)
        case .dictionary(let key, let value): return DBusEncoded(count.isMultiple(of: 2) ? key : value, path)
        case .variant: return DBusEncoded(.variant, path)
        default: throw DBusEncoding.failure(count, "the D-Bus type '\(result.type)' has no element for it", path)
        }
    }
}
