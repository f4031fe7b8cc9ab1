/// A constant as the expression spells it.
enum Literal: Equatable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case string([UInt8])
    case bytes([UInt8])
}
