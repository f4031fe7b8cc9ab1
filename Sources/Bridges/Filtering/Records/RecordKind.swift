public import Filter

/// The fields that an expression can read from the records of one source.
public struct RecordKind: Sendable, Hashable {
    enum Fields: Sendable, Hashable {
        /// The fields of `JournalSchema`.
        case journal
        /// Only these.
        case known([String: FieldType])
        /// Any: the types are seen in each record.
        case any
    }

    let fields: Fields
    /// Names that stand for numbers.
    let constants: [String: Int64]
    /// Fields of which a record may have several values; `==` and `in` accept any of them.
    let alternatives: Set<String>
    /// Text fields for whose exact values the source can be asked.
    let indexed: Set<String>

    init(
        _ fields: Fields,
        constants: [String: Int64] = [:],
        alternatives: Set<String> = [],
        indexed: Set<String> = []
    ) {
        self.fields = fields
        self.constants = constants
        self.alternatives = alternatives
        self.indexed = indexed
    }

    /// Entries of a journal.
    public static let journal = RecordKind(.journal)

    /// JSON objects, and other records whose fields cannot be known before.
    public static let any = RecordKind(.any)

    /// Fields with these names and types, beside those that all records have.
    public static func fields(_ types: [String: FieldType], constants: [String: Int64] = [:]) -> RecordKind {
        RecordKind(.known(types), constants: constants)
    }

    /// Lines of text, which have a message only.
    public static let lines = RecordKind(.known([:]))

    /// The records that `records(named:)` of a signal of ticks makes.
    public static let ticks = RecordKind(.known(["index": .int, "missed": .int, "lateness": .duration]))

    /// Records of changes of files.
    public static let changes = RecordKind(
        .known(["change": .string, "path": .string, "previous": .string, "directory": .bool])
    )

    /// Records of a child process.
    public static let child = RecordKind(.known(["stream": .string, "pid": .int, "code": .int, "signal": .int]))

    /// Events on the notification bus of a program, as a tap shows them.
    public static let busEvents = RecordKind(
        .known([
            "topic": .string, "scope": .string, "origin": .string, "type": .string, "value": .dynamic,
            "truncated": .bool,
            "error": .string,
        ])
    )

    /// Messages of D-Bus. `sender` is any of the sender's names, and `args` a list.
    public static let dbusMessages = RecordKind(
        .known([
            "type": .string, "sender": .string, "sender_name": .string, "destination": .string, "path": .string,
            "interface": .string, "member": .string, "error_name": .string, "cookie": .int, "reply_cookie": .int,
            "unit": .string, "signature": .string, "args": .dynamic,
        ]),
        alternatives: ["sender", "sender_name"],
        indexed: ["type", "path", "interface", "member"]
    )
}
