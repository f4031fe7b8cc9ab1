/// A value while an expression is evaluated.
///
/// It owns nothing: text and lists lie in the record, in the program or in the evaluation's arena, all of which
/// outlive it. Copying one is copying bits, and no evaluation counts references.
enum Value {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    /// Meant as UTF-8, which a record's text need not be.
    case string(UnsafeRawBufferPointer)
    case bytes(UnsafeRawBufferPointer)
    case list(UnsafeBufferPointer<Value>)
    case timestamp(Timestamp)
    /// Nanoseconds.
    case duration(Int64)
    case type(ValueKind)
    case error(Fault)

    @inline(__always)
    init(_ field: FieldValue) {
        switch field {
        case .absent: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = .uint(value)
        case .double(let value): self = .double(value)
        case .text(let bytes): self = .string(bytes)
        case .timestamp(let microseconds):
            // A clock beyond the year 9999 tells no time.
            self = Timestamp(microseconds: microseconds).map(Value.timestamp) ?? .null
        }
    }

    var kind: ValueKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        case .list: .list
        case .timestamp: .timestamp
        case .duration: .duration
        case .type: .type
        case .error: .error
        }
    }
}
