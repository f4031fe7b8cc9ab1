/// The types a value can have while an expression is evaluated.
enum ValueKind: UInt8, Sendable, Hashable {
    case null, bool, int, uint, double, string, bytes, list, timestamp, duration, type, error

    /// CEL's name for the type.
    var name: String {
        switch self {
        case .null: "null_type"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .list: "list"
        case .timestamp: "google.protobuf.Timestamp"
        case .duration: "google.protobuf.Duration"
        case .type: "type"
        case .error: "error"
        }
    }

    /// What a person calls a value of the type.
    var phrase: String {
        switch self {
        case .null: "null (absent)"
        case .bool: "true or false"
        case .int: "a whole number"
        case .uint: "an unsigned whole number"
        case .double: "a floating-point number"
        case .string: "text"
        case .bytes: "bytes"
        case .list: "a list"
        case .timestamp: "a time"
        case .duration: "a duration"
        case .type: "a type"
        case .error: "an error"
        }
    }
}
