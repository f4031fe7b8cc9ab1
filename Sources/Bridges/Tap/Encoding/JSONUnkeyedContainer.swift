/// Writes the elements of a list.
struct JSONUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int {
        encoder.writer.isCurrent(encoder.level, encoder.id) ? encoder.writer.levels[encoder.level].count : 0
    }

    private var key: JSONKey { JSONKey(intValue: count) }

    /// An element's index is part of its path only where paths are needed: making its name costs more than writing
    /// it.
    private var scalarKey: JSONKey? { encoder.writer.run.bounds.redact == nil ? nil : key }

    mutating func encodeNil() throws { try encoder.write(.unkeyed, key: scalarKey) { $0.appendNull() } }

    mutating func encode(_ value: Bool) throws { try encoder.write(.unkeyed, key: scalarKey) { $0.append(value) } }

    mutating func encode(_ value: String) throws { try encoder.write(.unkeyed, key: scalarKey) { $0.append(value) } }

    mutating func encode(_ value: Double) throws { try encoder.write(.unkeyed, key: scalarKey) { $0.append(value) } }

    mutating func encode(_ value: Float) throws { try encoder.write(.unkeyed, key: scalarKey) { $0.append(value) } }

    mutating func encode(_ value: some FixedWidthInteger & Encodable) throws {
        try encoder.write(.unkeyed, key: scalarKey) { $0.append(value) }
    }

    mutating func encode(_ value: some Encodable) throws { try encoder.encode(value, .unkeyed, key: key) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.later(.unkeyed, key: key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.later(.unkeyed, key: key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder.later(.unkeyed, key: key) }
}
