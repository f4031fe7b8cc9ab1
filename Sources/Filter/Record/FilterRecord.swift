/// Something that an expression can be evaluated against.
public protocol FilterRecord: ~Copyable {
    /// The field's value in this record.
    ///
    /// Called on the evaluating thread, only for fields that the expression reads and only when their value can still
    /// matter; once for each place where the expression names the field, so it should be cheap. A value of another
    /// type than the schema declared is taken as it is.
    func value(of field: FieldID) -> FieldValue
}
