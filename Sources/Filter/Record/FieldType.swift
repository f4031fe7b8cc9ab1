/// The type of a field's value when a record has it. Every field may be absent, whatever its type; it is `null` then.
public enum FieldType: Sendable, Hashable {
    /// Nothing is known before a record is seen: every comparison is accepted and decided for each record.
    case dynamic
    case bool
    case int
    case uint
    case double
    /// Bytes meant as text. They need not be valid UTF-8: comparing and searching work on bytes.
    case string
    case bytes
    case timestamp
    case duration
}
