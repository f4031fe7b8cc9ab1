/// What a schema makes of a text that is compared with a field of numbers; see ``FieldSchema/number(for:in:)``.
public enum NamedNumber: Sendable, Hashable {
    /// The number of that name.
    case number(Int64)
    /// There is none, and this sentence says so; the expression is refused with it.
    case unknown(reason: String)
}
