/// A field of a ``FieldTable``: its name, its type and how it is read. A field that reads as `nil` is absent.
public struct TableField<Subject>: Sendable {
    enum Content {
        case value(FieldValue)
        case text(String)
        case bytes([UInt8])
        case json([UInt8])
    }

    /// Letters, digits and `_`, not beginning with a digit; with dots between, it is written as members are.
    public let name: String
    /// The type by which an expression is checked; ``FieldType/dynamic`` for a field of JSON.
    public let type: FieldType
    let range: ClosedRange<Int64>?
    let read: @Sendable (Subject) -> Content?

    private init(
        _ name: String,
        _ type: FieldType,
        range: ClosedRange<Int64>? = nil,
        _ read: @escaping @Sendable (Subject) -> Content?
    ) {
        self.name = name
        self.type = type
        self.range = range
        self.read = read
    }

    /// - Parameters:
    ///   - name: the field's name in an expression.
    ///   - read: reads the value from a record; nil where the record has none.
    public static func bool(_ name: String, _ read: @escaping @Sendable (Subject) -> Bool?) -> TableField {
        TableField(name, .bool) { read($0).map { .value(.bool($0)) } }
    }

    /// - Parameters:
    ///   - name: the field's name in an expression.
    ///   - range: the range of its numbers, if no others ever occur.
    ///   - read: reads the value from a record; nil where the record has none.
    public static func int(
        _ name: String,
        range: ClosedRange<Int64>? = nil,
        _ read: @escaping @Sendable (Subject) -> Int64?
    ) -> TableField {
        TableField(name, .int, range: range) { read($0).map { .value(.int($0)) } }
    }

    /// An unsigned number. The parameters are those of ``int(_:range:_:)``.
    public static func uint(_ name: String, _ read: @escaping @Sendable (Subject) -> UInt64?) -> TableField {
        TableField(name, .uint) { read($0).map { .value(.uint($0)) } }
    }

    /// A floating-point number. The parameters are those of ``int(_:range:_:)``.
    public static func double(_ name: String, _ read: @escaping @Sendable (Subject) -> Double?) -> TableField {
        TableField(name, .double) { read($0).map { .value(.double($0)) } }
    }

    /// Text, `string` in an expression. Each read copies it.
    public static func text(_ name: String, _ read: @escaping @Sendable (Subject) -> String?) -> TableField {
        TableField(name, .string) { read($0).map { .text($0) } }
    }

    /// Bytes that are not text, `bytes` in an expression. Each read copies them.
    public static func bytes(_ name: String, _ read: @escaping @Sendable (Subject) -> [UInt8]?) -> TableField {
        TableField(name, .bytes) { read($0).map { .bytes($0) } }
    }

    /// In microseconds since 1970-01-01T00:00:00Z.
    public static func time(_ name: String, microseconds read: @escaping @Sendable (Subject) -> Int64?) -> TableField {
        TableField(name, .timestamp) { read($0).map { .value(.timestamp(microseconds: $0)) } }
    }

    /// To the nanosecond, and no longer than 292 years.
    public static func duration(_ name: String, _ read: @escaping @Sendable (Subject) -> Duration?) -> TableField {
        TableField(name, .duration) { read($0).map { .value(.duration(nanoseconds: nanoseconds($0))) } }
    }

    /// The text of one JSON value, for lists and maps.
    public static func json(_ name: String, _ read: @escaping @Sendable (Subject) -> [UInt8]?) -> TableField {
        TableField(name, .dynamic) { read($0).map { .json($0) } }
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}
