/// A schema written by hand, for values of your own type: the fields' names and how each is read.
///
/// ```swift
/// import Filter
///
/// struct Request { let status: Int; let path: String; let took: Duration }
///
/// let fields = FieldTable<Request>([
///     .int("status", range: 100...599) { Int64($0.status) },
///     .text("path") { $0.path },
///     .duration("took") { $0.took },
/// ])
/// let filter = try CompiledFilter("status >= 500 && took > duration('200ms')", schema: fields)
/// let request = Request(status: 503, path: "/", took: .seconds(1))
/// let isSlowFailure = filter.matches(fields.record(request))
/// ```
public struct FieldTable<Subject>: FieldSchema {
    public let constants: [String: Int64]
    public let timeField: String?
    let fields: [TableField<Subject>]
    private let places: [String: Int]

    /// - Parameters:
    ///   - fields: if two have the same name, the last counts.
    ///   - constants: names that stand for numbers.
    ///   - timeField: the field from which `age` is counted; its type must be a time.
    public init(
        _ fields: [TableField<Subject>],
        constants: [String: Int64] = [:],
        timeField: String? = nil
    ) {
        self.fields = fields
        self.constants = constants
        self.timeField = timeField
        places = Dictionary(fields.indices.map { (fields[$0].name, $0) }) { $1 }
    }

    public var knownNames: [String] { fields.map(\.name) }

    public func field(named name: String) -> FieldDefinition? {
        places[name].map { place in
            FieldDefinition(
                id: FieldID(rawValue: place),
                name: name,
                type: fields[place].type,
                range: fields[place].range
            )
        }
    }

    /// The value as a filter sees it, for one evaluation on one thread. Text is copied when it is asked for.
    public func record(_ subject: Subject) -> TableRecord<Subject> {
        TableRecord(fields, subject)
    }
}
