/// One field of one record, as the record hands it to an evaluation. Nothing is copied and nothing allocated.
public enum FieldValue {
    /// The record has no such field. The expression sees `null`.
    case absent
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    /// The bytes must stay valid and unchanged until the evaluation that asked for them returns.
    case text(UnsafeRawBufferPointer)
    /// Microseconds since 1970-01-01T00:00:00Z.
    case timestamp(microseconds: Int64)
}
