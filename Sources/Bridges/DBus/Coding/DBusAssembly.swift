/// Puts the parts of a value together as its type asks for.
struct DBusAssembly {
    private let encoded: DBusEncoded

    init(_ encoded: DBusEncoded) {
        self.encoded = encoded
    }

    func value() throws -> DBusValue {
        switch encoded.content {
        case .value(let value): return value
        case .nothing: return try assembled([])
        case .parts(let parts): return try assembled(parts.map { ($0.key, try DBusAssembly($0.part).value()) })
        }
    }

    private func assembled(_ parts: [(key: String?, value: DBusValue)]) throws -> DBusValue {
        let values = parts.map(\.value)
        switch encoded.type {
        case .structure(let members):
            guard values.count == members.count else {
                throw failure("it has \(values.count) members and '\(encoded.type)' has \(members.count)")
            }
            return .structure(values)
        case .array(.byte):
            return .bytes(values.compactMap { if case .byte(let byte) = $0 { byte } else { nil } })
        case .array(let element): return .array(values, of: element)
        case .dictionary(let key, let element):
            return .dictionary(DBusDictionary(keyType: key, valueType: element, entries: try entries(parts, key)))
        case .variant: return .variant(inferred(parts))
        default: throw failure("nothing was encoded for the D-Bus type '\(encoded.type)'")
        }
    }

    private func entries(_ parts: [(key: String?, value: DBusValue)], _ type: DBusType) throws -> [DBusDictionary.Entry]
    {
        if encoded.haveKeys {
            return try parts.map { part in
                let text = part.key ?? ""
                let number = Int64(text).flatMap { $0.value(as: type) } ?? UInt64(text).flatMap { $0.value(as: type) }
                guard let key = text.value(as: type) ?? number else {
                    throw failure("'\(text)' is no key of the D-Bus type '\(type)'")
                }
                return .init(key: key, value: part.value)
            }
        }
        guard parts.count.isMultiple(of: 2) else { throw failure("a key of the dictionary has no value") }
        return stride(from: 0, to: parts.count, by: 2).map { .init(key: parts[$0].value, value: parts[$0 + 1].value) }
    }

    /// The type when none was given: with keys `a{sv}`, else an array of the elements' type if they have one.
    private func inferred(_ parts: [(key: String?, value: DBusValue)]) -> DBusValue {
        if encoded.haveKeys {
            let entries = parts.map { DBusDictionary.Entry(key: .string($0.key ?? ""), value: $0.value) }
            return .dictionary(DBusDictionary(keyType: .string, valueType: .variant, entries: entries))
        }
        let plain = parts.map { part in
            if case .variant(let inner) = part.value { inner } else { part.value }
        }
        guard let type = plain.first?.type, plain.allSatisfy({ $0.type == type }) else {
            return .array(parts.map(\.value), of: .variant)
        }
        return .array(plain, of: type)
    }

    private func failure(_ reason: String) -> EncodingError {
        DBusEncoding.failure(encoded.type.code, reason, encoded.codingPath)
    }
}
