import Foundation
import Testing

@testable import Filter

/// A case's variables as the fields of a record.
struct BoundVariables {
    struct Schema: FieldSchema {
        let names: [String]

        var knownNames: [String] { names }

        func field(named name: String) -> FieldDefinition? {
            names.firstIndex(of: name).map { FieldDefinition(id: FieldID(rawValue: $0), name: name, type: .dynamic) }
        }
    }

    let schema: Schema
    let record: SampleRecord

    struct Unreadable: Error {
        let value: String
    }

    init(_ bindings: [String: [String: Any]]) throws {
        let names = bindings.keys.sorted()
        var fields: [Int: SampleRecord.Field] = [:]
        for (index, name) in names.enumerated() { fields[index] = try Self.field(bindings[name] ?? [:]) }
        schema = Schema(names: names)
        record = SampleRecord(fields)
    }

    private static func field(_ value: [String: Any]) throws -> SampleRecord.Field {
        guard let kind = value.keys.first, let content = value[kind] else { throw Unreadable(value: "\(value)") }
        let text = content as? String ?? ""
        switch kind {
        case "null": return .null
        case "bool": return .bool(content as? Bool ?? false)
        case "int": return .int(try #require(Int64(text)))
        case "uint": return .uint(try #require(UInt64(text)))
        case "double": return .double(try #require(Double(text)))
        case "string": return .text(Array(text.utf8))
        case "bytes_hex": return .bytes(bytes(text))
        case "list": return .list(try (content as? [[String: Any]] ?? []).map(field))
        case "map": return .map(try (content as? [[[String: Any]]] ?? []).flatMap { try $0.map(field) })
        case "timestamp":
            let time = try #require(Self.time(content))
            return .microseconds(time.seconds * 1_000_000 + time.nanoseconds / 1000)
        case "duration":
            let time = try #require(Self.time(content))
            return .duration(time.seconds * 1_000_000_000 + time.nanoseconds)
        default: throw Unreadable(value: "\(value)")
        }
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
    }

    private static func time(_ content: Any) -> (seconds: Int64, nanoseconds: Int64)? {
        guard let parts = content as? [Any], let seconds = (parts.first as? String).flatMap({ Int64($0) }),
            let nanoseconds = parts.last as? Int
        else { return nil }
        return (seconds, Int64(nanoseconds))
    }
}
