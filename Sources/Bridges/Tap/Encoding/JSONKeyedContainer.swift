/// Writes the members of an object.
struct JSONKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws { try encoder.write(.keyed, key: key) { $0.appendNull() } }

    mutating func encode(_ value: Bool, forKey key: Key) throws {
        try encoder.write(.keyed, key: key) { $0.append(value) }
    }

    mutating func encode(_ value: String, forKey key: Key) throws {
        try encoder.write(.keyed, key: key) { $0.append(value) }
    }

    mutating func encode(_ value: Double, forKey key: Key) throws {
        try encoder.write(.keyed, key: key) { $0.append(value) }
    }

    mutating func encode(_ value: Float, forKey key: Key) throws {
        try encoder.write(.keyed, key: key) { $0.append(value) }
    }

    mutating func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) throws {
        try encoder.write(.keyed, key: key) { $0.append(value) }
    }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        try encoder.encode(value, .keyed, key: key)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.later(.keyed, key: key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.later(.keyed, key: key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder.later(.keyed, key: JSONKey(stringValue: "super")) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.later(.keyed, key: key) }
}

/// A key that no type declares: of the superclass, or of a place in a list.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
