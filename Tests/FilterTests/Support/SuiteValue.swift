import Foundation

@testable import Filter

/// The suite's notation of values.
enum SuiteValue {
    /// Equal and of the same type. NaN equals NaN here.
    static func equals(_ value: OwnedValue, _ json: [String: Any]) -> Bool {
        guard let kind = json.keys.first, let content = json[kind] else { return false }
        switch value {
        case .null: return kind == "null"
        case .bool(let value): return kind == "bool" && content as? Bool == value
        case .int(let value): return kind == "int" && content as? String == String(value)
        case .uint(let value): return kind == "uint" && content as? String == String(value)
        case .double(let value):
            guard kind == "double", let text = content as? String, let expected = Double(text) else { return false }
            return value.isNaN ? expected.isNaN : value == expected
        case .string(let bytes): return kind == "string" && (content as? String).map { Array($0.utf8) } == bytes
        case .bytes(let bytes):
            let hex = bytes.map { String(format: "%02x", $0) }.joined()
            return kind == "bytes_hex" && content as? String == hex
        case .list(let elements):
            guard kind == "list", let expected = content as? [[String: Any]], expected.count == elements.count else {
                return false
            }
            return zip(elements, expected).allSatisfy { equals($0, $1) }
        case .map(let entries): return kind == "map" && equals(entries, content as? [[[String: Any]]] ?? [])
        case .timestamp(let time):
            let parts = content as? [Any]
            return kind == "timestamp" && parts?.first as? String == String(time.seconds)
                && parts?.last as? Int == Int(time.nanoseconds)
        case .duration(let nanoseconds):
            let parts = content as? [Any]
            return kind == "duration" && parts?.first as? String == String(nanoseconds / 1_000_000_000)
                && parts?.last as? Int == Int(nanoseconds % 1_000_000_000)
        case .type(let type): return kind == "type" && content as? String == type.name
        case .optional, .ip, .cidr: return false
        }
    }

    /// A map's entries are compared in any order.
    private static func equals(_ entries: [OwnedValue], _ expected: [[[String: Any]]]) -> Bool {
        guard entries.count == 2 * expected.count else { return false }
        return expected.allSatisfy { pair in
            stride(from: 0, to: entries.count, by: 2).contains { place in
                equals(entries[place], pair[0]) && equals(entries[place + 1], pair[1])
            }
        }
    }
}
