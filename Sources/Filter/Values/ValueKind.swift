/// The types a value can have while an expression is evaluated.
enum ValueKind: UInt8, Sendable, Hashable, CaseIterable {
    case null, bool, int, uint, double, string, bytes, list, map, timestamp, duration, type, optional, ip, cidr, error

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
        case .map: "map"
        case .timestamp: "google.protobuf.Timestamp"
        case .duration: "google.protobuf.Duration"
        case .type: "type"
        case .optional: "optional_type"
        case .ip: "net.IP"
        case .cidr: "net.CIDR"
        case .error: "error"
        }
    }

    /// The types that an expression can name.
    static let named: [String: ValueKind] = Dictionary(
        uniqueKeysWithValues: allCases.filter { $0 != .error }.map { ($0.name, $0) }
    )

    /// A phrase for a value of the type.
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
        case .map: "a map"
        case .timestamp: "a time"
        case .duration: "a duration"
        case .type: "a type"
        case .optional: "an optional"
        case .ip: "an IP address"
        case .cidr: "a network"
        case .error: "an error"
        }
    }
}
