/// The value of one field of one record, for an evaluation. Nothing is copied and nothing allocated.
///
/// All memory that is reachable through a pointer must stay valid and unchanged until the evaluation that read it
/// returns.
public enum FieldValue {
    /// The record has no such field. The expression sees `null`.
    case absent
    /// The record has the field, and its value is null.
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case text(UnsafeRawBufferPointer)
    case bytes(UnsafeRawBufferPointer)
    /// Microseconds since 1970-01-01T00:00:00Z.
    case timestamp(microseconds: Int64)
    case duration(nanoseconds: Int64)
    case list(UnsafeBufferPointer<FieldValue>)
    /// Keys and values, alternating. Keys are `bool`, `int`, `uint` or `text`, each at most once; anything else is an
    /// error when the field is read.
    case map(UnsafeBufferPointer<FieldValue>)
    /// The text of one JSON value, read when the expression asks for it: `null`, true, a number, a text, a list or a map
    /// of these. Text that is no JSON is an error when the field is read.
    case json(UnsafeRawBufferPointer)
}
