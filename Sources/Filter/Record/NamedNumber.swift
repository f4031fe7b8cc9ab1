/// A schema's result for a text that is compared with a field of numbers; see ``FieldSchema/number(for:in:)``.
public enum NamedNumber: Sendable, Hashable {
    /// The number of that name.
    case number(Int64)
    /// There is none. The expression is refused with this sentence.
    case unknown(reason: String)
}
