/// A source's own number for one of its fields, given out when an expression is compiled and handed back for every
/// record.
///
/// A schema chooses the numbers; small and dense ones let its records answer by indexing an array.
public struct FieldID: Hashable, Sendable, BitwiseCopyable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
