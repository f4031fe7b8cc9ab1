/// The value of one field of one record, for an evaluation. Nothing is copied and nothing allocated.
///
/// All memory that is reachable through a pointer must stay valid and unchanged until the evaluation that read it
/// returns.
public enum FieldValue {
    /// The record has no such field. The expression sees `null`.
    case absent
    /// The record has the field, and its value is null.
    case null
    /// True or false, `bool` in an expression.
    case bool(Bool)
    /// A signed number, `int` in an expression. Numbers are compared by value, whatever their types.
    case int(Int64)
    /// An unsigned number, `uint` in an expression.
    case uint(UInt64)
    /// A floating-point number, `double` in an expression. NaN is equal to nothing.
    case double(Double)
    /// Bytes meant as text, `string` in an expression. They need not be UTF-8.
    case text(UnsafeRawBufferPointer)
    /// Bytes that are not text, `bytes` in an expression.
    case bytes(UnsafeRawBufferPointer)
    /// Microseconds since 1970-01-01T00:00:00Z.
    case timestamp(microseconds: Int64)
    /// A span of time, `duration` in an expression. It may be negative.
    case duration(nanoseconds: Int64)
    /// Elements, each of any type. An absent element is `null`.
    case list(UnsafeBufferPointer<FieldValue>)
    /// Keys and values, alternating. Keys are `bool`, `int`, `uint` or `text`, each at most once; anything else is an
    /// error when the field is read.
    case map(UnsafeBufferPointer<FieldValue>)
    /// The text of one JSON value, read when the expression asks for it: `null`, true, a number, a text, a list or a map
    /// of these. Text that is no JSON is an error when the field is read.
    case json(UnsafeRawBufferPointer)
}
