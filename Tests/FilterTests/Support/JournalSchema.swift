import Filter

/// Fields, constants and an index like those of a journal.
struct JournalSchema: FieldSchema {
    static let definitions: [FieldDefinition] = [
        FieldDefinition(id: FieldID(rawValue: 0), name: "message", type: .string),
        FieldDefinition(id: FieldID(rawValue: 1), name: "priority", type: .int, range: 0...7),
        FieldDefinition(id: FieldID(rawValue: 2), name: "unit", type: .string),
        FieldDefinition(id: FieldID(rawValue: 3), name: "pid", type: .int),
        FieldDefinition(id: FieldID(rawValue: 4), name: "time", type: .timestamp),
        FieldDefinition(id: FieldID(rawValue: 5), name: "kernel", type: .bool),
        FieldDefinition(id: FieldID(rawValue: 6), name: "load", type: .double),
        FieldDefinition(id: FieldID(rawValue: 7), name: "seqnum", type: .uint),
        FieldDefinition(id: FieldID(rawValue: 8), name: "identifier", type: .string),
    ]

    var knownNames: [String] { Self.definitions.map(\.name) + ["_SYSTEMD_UNIT", "PRIORITY"] }

    var timeField: String? { "time" }

    let constants: [String: Int64] = [
        "emerg": 0, "alert": 1, "crit": 2, "err": 3, "warning": 4, "notice": 5, "info": 6, "debug": 7,
    ]

    func field(named name: String) -> FieldDefinition? {
        if let known = Self.definitions.first(where: { $0.name == name }) { return known }
        guard !name.isEmpty, name.allSatisfy({ $0.isUppercase || $0 == "_" }) else { return nil }
        return FieldDefinition(id: FieldID(rawValue: 100 + name.utf8.count), name: name, type: .dynamic)
    }

    func match(_ field: FieldDefinition, equals value: MatchValue) -> Match? {
        let text: [UInt8] =
            switch value {
            case .int(let number): Array(String(number).utf8)
            case .text(let bytes): bytes
            }
        switch field.name {
        case "priority", "pid", "identifier": return .term(field: field.name, value: text)
        case "unit":
            return .any([
                .term(field: "_SYSTEMD_UNIT", value: text), .term(field: "UNIT", value: text),
            ])
        default: return nil
        }
    }
}
