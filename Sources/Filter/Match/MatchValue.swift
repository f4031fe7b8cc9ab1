/// The constant side of an equality that a source's index may be able to answer.
public enum MatchValue: Sendable, Hashable {
    /// A whole number, however it is written: `3`, `3u` or `3.0`.
    case int(Int64)
    /// The bytes of a text, which are compared one by one.
    case text([UInt8])
}
