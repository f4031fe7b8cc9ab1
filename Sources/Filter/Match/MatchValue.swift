/// The constant side of an equality that a source's index may be able to answer.
public enum MatchValue: Sendable, Hashable {
    case int(Int64)
    case text([UInt8])
}
