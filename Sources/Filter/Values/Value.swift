/// A value while an expression is evaluated.
///
/// It owns nothing: text, lists and maps lie in the record, in the program or in the evaluation's arena, and all of
/// these outlive it. Copying one is copying bits, and no evaluation counts references.
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
    /// Keys and values, alternating, ordered by key: see `MapEntries`.
    case map(UnsafeBufferPointer<Value>)
    case timestamp(Timestamp)
    /// Nanoseconds.
    case duration(Int64)
    case type(ValueKind)
    /// `nil` for `optional.none()`.
    case optional(UnsafePointer<Value>?)
    /// 4 or 16 bytes, the most significant first.
    case ip(UnsafeRawBufferPointer)
    /// As an address, followed by one byte for the prefix' length in bits.
    case cidr(UnsafeRawBufferPointer)
    case error(Fault)

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
        case .map: .map
        case .timestamp: .timestamp
        case .duration: .duration
        case .type: .type
        case .optional: .optional
        case .ip: .ip
        case .cidr: .cidr
        case .error: .error
        }
    }

    /// Whether it is the default value of its type: `optional.ofNonZeroValue` makes none of it.
    var isZero: Bool {
        switch self {
        case .null: true
        case .bool(let value): !value
        case .int(let value): value == 0
        case .uint(let value): value == 0
        case .double(let value): value == 0
        case .string(let content), .bytes(let content): content.isEmpty
        case .list(let elements), .map(let elements): elements.isEmpty
        case .timestamp(let time): time.seconds == Timestamp.secondsRange.lowerBound && time.nanoseconds == 0
        case .duration(let nanoseconds): nanoseconds == 0
        case .optional(let content): content == nil
        case .type, .ip, .cidr, .error: false
        }
    }
}
