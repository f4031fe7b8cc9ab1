/// A source's description of its records for the compiler: their fields, the constants beside them, and the values
/// that its index can answer.
///
/// An expression may also write a field behind the name of the whole record, as in `record.NAME`. The schema is asked
/// only while an expression is compiled, on the compiling thread.
public protocol FieldSchema: Sendable {
    /// The field of that name, by any spelling the source accepts. `nil` refuses the expression; the error suggests
    /// the nearest of `knownNames`.
    func field(named name: String) -> FieldDefinition?

    /// The field of that name with all the values that a record has for it, for `fields('NAME')`. A schema that must
    /// know beforehand whether more than the first value is wanted gives it an id of its own; others need not
    /// implement this.
    func repeatedField(named name: String) -> FieldDefinition?

    /// The name of the field with a record's time, from which `age` is counted; `nil` for records without one.
    var timeField: String? { get }

    /// Names worth suggesting for a misspelt one. A source that accepts names beyond these still lists the common
    /// ones.
    var knownNames: [String] { get }

    /// Names that stand for numbers, such as `err` for 3.
    var constants: [String: Int64] { get }

    /// Names that other tools give to fields and constants, in small letters, with their replacements here:
    /// `hostname` for `host`. They are suggested, not accepted.
    var synonyms: [String: String] { get }

    /// The number for a text that is compared with the field by `==`, `!=` or `in`, such as a user's number for a
    /// user's name; `nil` where the field's numbers have no names. It is called while the expression is compiled, and
    /// the filter keeps the number.
    func number(for name: String, in field: FieldDefinition) -> NamedNumber?

    /// Why no record can have this text in the field, for a warning; `nil` where one might.
    func objection(to text: String, in field: FieldDefinition) -> FieldObjection?

    /// The index's answer for `field == value`. The match must select every record for which that is true; it may
    /// select more, since the whole expression is evaluated again. `nil` means that the index does not know this
    /// field.
    func match(_ field: FieldDefinition, equals value: MatchValue) -> Match?
}

extension FieldSchema {
    /// The same field.
    public func repeatedField(named name: String) -> FieldDefinition? { field(named: name) }

    /// None: `age` is refused.
    public var timeField: String? { nil }

    /// None.
    public var constants: [String: Int64] { [:] }

    /// None.
    public var synonyms: [String: String] { [:] }

    /// No field's numbers have names.
    public func number(for name: String, in field: FieldDefinition) -> NamedNumber? { nil }

    /// None.
    public func objection(to text: String, in field: FieldDefinition) -> FieldObjection? { nil }

    /// A source without an index.
    public func match(_ field: FieldDefinition, equals value: MatchValue) -> Match? { nil }
}
