/// A record that an expression can be evaluated against.
public protocol FilterRecord: ~Copyable {
    /// The field's value in this record; the first, where it has several.
    ///
    /// Called on the evaluating thread, only for fields that the expression reads and only when their value can still
    /// matter; once for each place where the expression names the field, so it should be cheap. A value of another
    /// type than the schema declared is used as it is.
    func value(of field: FieldID) -> FieldValue

    /// One of the field's values in this record, counted from 0; `.absent` beyond the last.
    ///
    /// `fields('NAME')` and comparisons with a field that ``FieldDefinition/hasAlternatives`` call this. Without an
    /// implementation, a field has at most one value.
    func value(of field: FieldID, at index: Int) -> FieldValue
}

extension FilterRecord where Self: ~Copyable {
    @inlinable
    public func value(of field: FieldID, at index: Int) -> FieldValue {
        index == 0 ? value(of: field) : .absent
    }
}
