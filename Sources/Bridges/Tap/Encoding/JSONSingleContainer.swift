/// Writes a value that is neither object nor list, or hands over to a value that replaces it.
struct JSONSingleContainer: SingleValueEncodingContainer {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws { try encoder.write(.single, key: nil) { $0.appendNull() } }

    mutating func encode(_ value: Bool) throws { try encoder.write(.single, key: nil) { $0.append(value) } }

    mutating func encode(_ value: String) throws { try encoder.write(.single, key: nil) { $0.append(value) } }

    mutating func encode(_ value: Double) throws { try encoder.write(.single, key: nil) { $0.append(value) } }

    mutating func encode(_ value: Float) throws { try encoder.write(.single, key: nil) { $0.append(value) } }

    mutating func encode(_ value: some FixedWidthInteger & Encodable) throws {
        try encoder.write(.single, key: nil) { $0.append(value) }
    }

    mutating func encode(_ value: some Encodable) throws { try encoder.encode(value, .single, key: nil) }
}
