/// A value that stands on its own: a constant in an expression, or a result carried out of an evaluation.
indirect enum OwnedValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case string([UInt8])
    case bytes([UInt8])
    case list([OwnedValue])
    /// Keys and values, alternating.
    case map([OwnedValue])
    case timestamp(Timestamp)
    /// Nanoseconds.
    case duration(Int64)
    case type(ValueKind)
    case optional(OwnedValue?)
    case ip([UInt8])
    case cidr([UInt8])

    init(_ literal: Literal) {
        switch literal {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = .uint(value)
        case .double(let value): self = .double(value)
        case .string(let content): self = .string(content)
        case .bytes(let content): self = .bytes(content)
        }
    }

    /// `nil` for an error.
    init?(copying value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = .uint(value)
        case .double(let value): self = .double(value)
        case .string(let text): self = .string(Array(text))
        case .bytes(let content): self = .bytes(Array(content))
        case .list(let elements): self = .list(elements.compactMap(OwnedValue.init(copying:)))
        case .map(let entries): self = .map(entries.compactMap(OwnedValue.init(copying:)))
        case .timestamp(let time): self = .timestamp(time)
        case .duration(let nanoseconds): self = .duration(nanoseconds)
        case .type(let kind): self = .type(kind)
        case .optional(let content): self = .optional(content.flatMap { OwnedValue(copying: $0.pointee) })
        case .ip(let address): self = .ip(Array(address))
        case .cidr(let network): self = .cidr(Array(network))
        case .error: return nil
        }
    }
}
