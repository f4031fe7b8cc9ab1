/// The content of a record, made by hand.
///
/// ```swift
/// import Records
///
/// let fields = RecordFields(
///     message: "took too long",
///     severity: .warning,
///     ["path": .text("/index.html"), "status": .int(504), "took": .duration(.seconds(30))]
/// )
/// ```
public struct RecordFields: RecordContent {
    /// A value as it is kept.
    public enum Value: Sendable, Hashable {
        /// The field is there, and its value is null.
        case null
        /// True or false.
        case bool(Bool)
        /// A signed whole number.
        case int(Int64)
        /// An unsigned whole number, which may be larger than any `Int64`.
        case uint(UInt64)
        /// A floating-point number. JSON has no infinity and no NaN: they are written there as text.
        case double(Double)
        /// Text, kept in UTF-8.
        case text(String)
        /// Bytes that are not meant as text. In JSON they are a string if they are UTF-8, otherwise a list of numbers.
        case bytes([UInt8])
        /// Since 1970-01-01T00:00:00Z.
        case time(microseconds: Int64)
        /// To the nanosecond, and no longer than 292 years.
        case duration(Duration)
        /// One JSON value, as it is written.
        case json([UInt8])
    }

    private let storage: FieldStorage

    /// - Parameters:
    ///   - message: the text for a person.
    ///   - severity: how severe it is.
    ///   - fields: in the order in which they are shown.
    public init(message: String? = nil, severity: Severity? = nil, _ fields: KeyValuePairs<String, Value> = [:]) {
        self.init(message: message, severity: severity, list: fields.map { ($0.key, $0.value) })
    }

    /// The same, for fields that were gathered one by one.
    public init(message: String? = nil, severity: Severity? = nil, list fields: [(name: String, value: Value)]) {
        var builder = FieldStorage.Builder()
        if let message { builder.setMessage(message.utf8) }
        for (name, value) in fields { builder.append(Array(name.utf8), value) }
        storage = FieldStorage(builder, severity)
    }

    /// A message alone, of bytes that need not be UTF-8.
    public init(message: [UInt8], severity: Severity? = nil) {
        var builder = FieldStorage.Builder()
        builder.setMessage(message)
        storage = FieldStorage(builder, severity)
    }

    package init(_ builder: FieldStorage.Builder, severity: Severity?) {
        storage = FieldStorage(builder, severity)
    }

    public var severity: Severity? { storage.severity }

    public var footprint: Int { storage.footprint }

    public func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        storage.withMessage(body)
    }

    public func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        storage.withFields(body)
    }
}
