import Foundation

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

    /// `nil` when one of them holds what a flat record cannot.
    init?(_ bindings: [String: [String: Any]]) {
        let names = bindings.keys.sorted()
        var fields: [Int: SampleRecord.Field] = [:]
        for (index, name) in names.enumerated() {
            guard let value = bindings[name], let kind = value.keys.first else { return nil }
            let text = value[kind] as? String ?? ""
            switch kind {
            case "null": continue
            case "bool": fields[index] = .bool(value[kind] as? Bool ?? false)
            case "int": fields[index] = Int64(text).map { .int($0) }
            case "uint": fields[index] = UInt64(text).map { .uint($0) }
            case "double": fields[index] = Double(text).map { .double($0) }
            case "string": fields[index] = .text(Array(text.utf8))
            case "timestamp":
                guard let parts = value[kind] as? [Any], let seconds = (parts.first as? String).flatMap({ Int64($0) }),
                    let nanoseconds = parts.last as? Int64, nanoseconds % 1000 == 0
                else { return nil }
                fields[index] = .microseconds(seconds * 1_000_000 + nanoseconds / 1000)
            default: return nil
            }
        }
        schema = Schema(names: names)
        record = SampleRecord(fields)
    }
}
