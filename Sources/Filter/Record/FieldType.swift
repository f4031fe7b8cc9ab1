/// The type of a field's value when a record has it. Every field may be absent, whatever its type; it is `null` then.
public enum FieldType: Sendable, Hashable {
    /// Nothing is known before a record is seen: every comparison is accepted and decided for each record.
    case dynamic
    /// True or false: CEL's `bool`.
    case bool
    /// A signed number of 64 bits: CEL's `int`.
    case int
    /// An unsigned number of 64 bits: CEL's `uint`.
    case uint
    /// A floating-point number of 64 bits (IEEE 754): CEL's `double`.
    case double
    /// Bytes meant as text. They need not be valid UTF-8: comparing and searching work on bytes.
    case string
    /// Bytes that are not text: CEL's `bytes`. They are unequal to every text.
    case bytes
    /// A point in time in the years 1 to 9999: CEL's `timestamp`.
    case timestamp
    /// A span of time, which may be negative: CEL's `duration`.
    case duration
}
