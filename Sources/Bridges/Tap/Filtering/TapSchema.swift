import Filter

/// The fields of an event for a filter.
struct TapSchema: FieldSchema {
    enum Field: Int, CaseIterable {
        case topic, sequence, time, scope, origin, type, value

        var definition: FieldDefinition {
            FieldDefinition(id: FieldID(rawValue: rawValue), name: "\(self)", type: type)
        }

        private var type: FieldType {
            switch self {
            case .topic, .scope, .origin, .type: .string
            case .sequence: .int
            case .time: .timestamp
            case .value: .dynamic
            }
        }
    }

    var timeField: String? { "time" }
    var knownNames: [String] { Field.allCases.map { "\($0)" } }

    func field(named name: String) -> FieldDefinition? { Self.fields[name] }

    private static let fields = Dictionary(uniqueKeysWithValues: Field.allCases.map { ("\($0)", $0.definition) })
}
