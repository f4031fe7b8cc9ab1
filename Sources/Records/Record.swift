/// One event of any source: an entry of a journal, a line, an OS signal, a tick.
///
/// All records have a source, a time and a number. Further parts depend on the source and are found in ``content``: a
/// message, a severity, and fields. Records of several sources are put into one order by `Signals.merge(inOrder:)`
/// and written out by a ``RecordWriter``.
public struct Record: Sendable {
    /// The kind of a record.
    public enum Kind: Sendable, Hashable {
        /// Something happened.
        case event
        /// Records are missing in this place. The number says how many, where that is known.
        case gap(lost: Int?)
    }

    /// Whether something happened, or records are missing here.
    public var kind: Kind

    /// The source's name, as in `source == "journal"`.
    public var source: String

    /// When it happened: as its source says, else when it was heard.
    public var time: RecordTime

    /// How long the machine had run then, where the source says so.
    public var monotonic: Duration?

    /// Its number in its source; the first record has number 1.
    public var sequence: UInt64

    /// Whether it came too late for the place of its time. See `Signals.merge(inOrder:)`.
    public var isLate = false

    /// Message, severity and fields.
    public var content: any RecordContent

    /// A record that is not late.
    public init(
        _ kind: Kind = .event,
        source: String,
        time: RecordTime,
        monotonic: Duration? = nil,
        sequence: UInt64,
        content: any RecordContent
    ) {
        self.kind = kind
        self.source = source
        self.time = time
        self.monotonic = monotonic
        self.sequence = sequence
        self.content = content
    }

    /// How severe it is, where its source says so.
    public var severity: Severity? { content.severity }

    /// Its message, with U+FFFD for bytes that are not UTF-8.
    public var message: String? {
        content.withMessage { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// The first value of the field as text; `nil` where the record has no such field.
    public subscript(field: String) -> String? {
        content.withFields { fields in
            fields.first { $0.name.elementsEqual(field.utf8) }?.value.text
        }
    }

    /// The names of its fields, in the source's order. A field that is there twice is named twice.
    public var fieldNames: [String] {
        content.withFields { $0.map { String(decoding: $0.name, as: UTF8.self) } }
    }

    /// Whether source, severity and message are the same; or all fields, where there is no message.
    package func saysTheSame(as other: Record) -> Bool {
        guard source == other.source, severity == other.severity else { return false }
        let (mine, theirs) = (message, other.message)
        if mine != nil || theirs != nil { return mine == theirs }
        return content.withFields { mine in
            other.content.withFields { theirs in
                mine.elementsEqual(theirs) { $0.name.elementsEqual($1.name) && $0.value.text == $1.value.text }
            }
        }
    }
}
