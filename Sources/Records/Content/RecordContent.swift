/// The message, the severity and the fields of a record.
///
/// Only the parts that are read are looked for: a line of JSON is a line until a field is read. Use ``RecordFields``
/// for values of your own.
public protocol RecordContent: Sendable {
    /// How severe it is, where the content says so.
    var severity: Severity? { get }

    /// The writer of the message, in a few words that stand before the message in a line, such as `sshd[812]`; `nil`
    /// when the name of the source is enough.
    var speaker: String? { get }

    /// About how many bytes it takes in memory, which bounds what waits. Without an implementation, the sum of the names and values
    /// that ``withFields(_:)`` lends, and of the message.
    var footprint: Int { get }

    /// Lends the message, the text for a person; `nil` without one. The pointer is valid inside `body` only.
    func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result

    /// Lends the fields, in the source's order. The pointers are valid inside `body` only.
    func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result

    /// Lends the fields for JSON, where their types would be lost otherwise. Without an implementation, the same as
    /// ``withFields(_:)``.
    func withExactFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result

    /// Lends the fields that a filter reads: those with these names, and perhaps others. A name may come several
    /// times; the filter compares with each of them where the field's kind says so, otherwise with the first. Without
    /// an implementation, the same as ``withFields(_:)``.
    func withFields<Result>(
        named names: [[UInt8]],
        _ body: (UnsafeBufferPointer<RecordField>) -> Result
    ) -> Result
}

extension RecordContent {
    /// None.
    public var speaker: String? { nil }

    public var footprint: Int {
        withMessage { $0?.count ?? 0 } + withFields { $0.reduce(0) { $0 + $1.name.count + $1.value.size } }
    }

    public func withExactFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        withFields(body)
    }

    public func withFields<Result>(
        named names: [[UInt8]],
        _ body: (UnsafeBufferPointer<RecordField>) -> Result
    ) -> Result {
        withFields(body)
    }
}

/// Content with a text of its own for ``RecordFormat/verbose``.
package protocol VerboseContent: RecordContent {
    /// Some lines, in place of the message and fields below the record's time and source.
    var verboseText: [UInt8] { get }
}

/// A field that is lent for the length of a call.
public struct RecordField {
    /// Its name, as the source spells it.
    public let name: UnsafeRawBufferPointer
    /// The value. Memory that it points to is valid as long as that of the name.
    public let value: RecordValue

    /// A field that an implementation of ``RecordContent/withFields(_:)`` lends.
    public init(name: UnsafeRawBufferPointer, value: RecordValue) {
        self.name = name
        self.value = value
    }
}

/// A field's value, lent for the length of a call.
public enum RecordValue {
    /// The field is there, and its value is null.
    case null
    /// True or false, as a type of the source; the text `true` is ``text(_:)``.
    case bool(Bool)
    /// A signed whole number.
    case int(Int64)
    /// An unsigned whole number, which may be larger than any `Int64`.
    case uint(UInt64)
    /// A floating-point number. JSON has no infinity and no NaN: they are written there as text.
    case double(Double)
    /// Bytes meant as text. They need not be UTF-8.
    case text(UnsafeRawBufferPointer)
    /// Bytes that are not meant as text. In JSON they are a string if they are UTF-8, otherwise a list of numbers.
    case bytes(UnsafeRawBufferPointer)
    /// Since 1970-01-01T00:00:00Z.
    case time(microseconds: Int64)
    /// A span of time, which may be negative. As text it is in seconds: `1.5 seconds`.
    case duration(nanoseconds: Int64)
    /// One JSON value, as it stood in the source: a number, a text with its quotes, a list, an object.
    case json(UnsafeRawBufferPointer)

    /// How many bytes it has.
    fileprivate var size: Int {
        switch self {
        case .text(let bytes), .bytes(let bytes), .json(let bytes): bytes.count
        case .null, .bool, .int, .uint, .double, .time, .duration: MemoryLayout<Int64>.size
        }
    }

    /// The value as text, with U+FFFD for bytes that are not UTF-8.
    public var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .uint(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let bytes), .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .time(let microseconds): RecordTime.text(microseconds)
        case .duration(let nanoseconds): "\(Duration.nanoseconds(nanoseconds))"
        case .json(let value): JSONObject.plain(value).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}
