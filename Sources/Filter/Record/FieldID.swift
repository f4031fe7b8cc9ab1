/// A source's own number for one of its fields, given out when an expression is compiled and handed back for every
/// record.
///
/// A schema chooses the numbers; small and dense ones let its records answer by indexing an array.
public struct FieldID: Hashable, Sendable, BitwiseCopyable {
    /// A number that means something to the schema and its records only.
    public let rawValue: Int

    /// An id for a schema to give to a field. Any number will do.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
