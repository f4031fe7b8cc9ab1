/// A place in a D-Bus value, for errors.
struct DBusCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ index: Int) {
        (stringValue, intValue) = ("Index \(index)", index)
    }

    init(stringValue: String) {
        (self.stringValue, intValue) = (stringValue, nil)
    }

    init(intValue: Int) {
        self.init(intValue)
    }
}

/// The entries of a dictionary, by their keys' text.
struct DBusDictionaryDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let values: [String: DBusValue]
    let allKeys: [Key]
    let codingPath: [any CodingKey]

    init(_ dictionary: DBusDictionary, _ codingPath: [any CodingKey]) {
        var values: [String: DBusValue] = [:]
        var keys: [Key] = []
        for entry in dictionary.entries {
            guard
                let name = entry.key.text ?? entry.key.integer.map(String.init)
                    ?? entry.key.unsignedInteger.map(String.init)
            else { continue }
            if let key = Key(stringValue: name) { keys.append(key) }
            if values[name] == nil { values[name] = entry.value }
        }
        self.values = values
        allKeys = keys
        self.codingPath = codingPath
    }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { false }

    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
        try decoding(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoding(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoding(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoding("super") }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoding(key) }

    private func decoding(_ key: Key) throws -> DBusDecoding { try decoding(key.stringValue) }

    private func decoding(_ name: String) throws -> DBusDecoding {
        let key = DBusCodingKey(stringValue: name)
        guard let value = values[name] else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: codingPath, debugDescription: "the dictionary has no entry '\(name)'")
            )
        }
        return DBusDecoding(value: value, codingPath: codingPath + [key])
    }
}

/// The members of a structure, one for each key in the order of the requests.
struct DBusStructureDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The member of each key.
    private final class Places {
        var numbers: [String: Int] = [:]
    }

    private let members: [DBusValue]
    private let places = Places()
    let codingPath: [any CodingKey]
    var allKeys: [Key] { [] }

    init(_ members: [DBusValue], _ codingPath: [any CodingKey]) {
        self.members = members
        self.codingPath = codingPath
    }

    func contains(_ key: Key) -> Bool { place(of: key.stringValue) < members.count }

    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
        try decoding(key.stringValue).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoding(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoding(key.stringValue).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoding("super") }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoding(key.stringValue) }

    private func place(of name: String) -> Int {
        if let number = places.numbers[name] { return number }
        let number = places.numbers.count
        places.numbers[name] = number
        return number
    }

    private func decoding(_ name: String) throws -> DBusDecoding {
        let number = place(of: name)
        let key = DBusCodingKey(stringValue: name)
        guard number < members.count else {
            throw DecodingError.keyNotFound(
                key,
                .init(
                    codingPath: codingPath,
                    debugDescription: "'\(name)' would be member \(number + 1) of a structure that has \(members.count)"
                )
            )
        }
        return DBusDecoding(value: members[number], codingPath: codingPath + [key])
    }
}

/// Values in their order: an array, a structure, or the keys and values of a dictionary.
struct DBusElementsDecoding: UnkeyedDecodingContainer {
    private let elements: [DBusValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(_ elements: [DBusValue], _ codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        try take { try $0.decode(type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try take { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take { $0 } }

    /// Goes on to the next element if this one could be read.
    private mutating func take<Result>(_ read: (DBusDecoding) throws -> Result) throws -> Result {
        let key = DBusCodingKey(currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Result.self,
                .init(codingPath: codingPath + [key], debugDescription: "there are only \(elements.count) elements")
            )
        }
        let result = try read(DBusDecoding(value: elements[currentIndex], codingPath: codingPath + [key]))
        currentIndex += 1
        return result
    }
}
