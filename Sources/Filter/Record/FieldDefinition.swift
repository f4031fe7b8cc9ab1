/// A field that a source knows: its number, its name and its type.
public struct FieldDefinition: Sendable, Hashable {
    /// The number by which an evaluation asks a record for the field's value.
    public let id: FieldID

    /// The name the source itself uses, whatever spelling the expression chose.
    public let name: String

    /// The type by which operations are checked when an expression is compiled. A record's value of another type is
    /// used as it is.
    public let type: FieldType

    /// The whole numbers that the field may hold, where the source guarantees that no record has another number.
    /// A comparison such as `priority <= 3` can then be handed to the source's index as a few equalities.
    public let range: ClosedRange<Int64>?

    /// Whether a record may answer to several values of the field at once: `==` and `in` then hold if any of them
    /// does, `!=` if none does. Everything else sees the first.
    public let hasAlternatives: Bool

    /// The types that the field has in the records of several sources, where these differ; ``type`` is `dynamic` then.
    /// An operation that fits none of them is refused. One that fits only some is warned about.
    package var sourceTypes: [SourceType] = []

    /// The field's type in the records of one source.
    package struct SourceType: Sendable, Hashable {
        let source: String
        package let type: FieldType

        package init(source: String, type: FieldType) {
            self.source = source
            self.type = type
        }
    }

    /// A field for ``FieldSchema/field(named:)`` to return.
    public init(
        id: FieldID,
        name: String,
        type: FieldType,
        range: ClosedRange<Int64>? = nil,
        hasAlternatives: Bool = false
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.range = range
        self.hasAlternatives = hasAlternatives
    }
}
