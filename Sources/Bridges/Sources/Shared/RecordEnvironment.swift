import CLinux
public import Records

/// A record as variables of a child's environment: `RECORD_MESSAGE` and so on.
///
/// ```swift
/// import ProcessBridge
/// import Records
/// import RecordSources
///
/// func notification(of record: Record) -> ChildProcess {
///     var child = ChildProcess("/usr/local/bin/notify")
///     child.environment = .updating(RecordEnvironment(record).changes)
///     return child
/// }
/// ```
///
/// All names begin alike, so that no field can be taken for a variable that other code reads, such as `LD_PRELOAD`.
public struct RecordEnvironment: Sendable {
    private static let prefix = "RECORD_"
    /// The names of a record's own parts, which are no fields.
    private static let own: Set = ["SOURCE", "TIME", "SEQUENCE", "SEVERITY", "MESSAGE"]
    /// The variable that names the parts that did not fit.
    private static let omitted = prefix + "OMITTED"
    /// Linux takes 128 KiB for one variable, and at least 2 MiB in all where the limit on stacks was not changed.
    private static let maxValueSize = 64 * 1024
    private static let maxNameLength = 128
    private static let maxSize = 512 * 1024

    /// Changes to this process's variables.
    public private(set) var changes: [String: String?] = [:]
    private var size = 0
    private var names: [String] = []

    /// The variables of a record. This process's variables with a record's prefix are removed: they belong to another record.
    public init(_ record: Record) {
        self.init(record, fields: nil, replacing: Self.inherited())
    }

    /// - Parameters:
    ///   - record: the record.
    ///   - fields: the only fields that are wanted; `nil` for all.
    ///   - inherited: variables of this process that the child does not get; see ``inherited()``.
    package init(_ record: Record, fields: [FieldPath]?, replacing inherited: [String]) {
        for name in inherited { changes.updateValue(nil, forKey: name) }
        add("SOURCE", record.source)
        add("TIME", record.time.description)
        add("SEQUENCE", "\(record.sequence)")
        if let severity = record.severity { add("SEVERITY", severity.name) }
        if let message = record.message { add("MESSAGE", message) }
        record.content.withFields { all in
            guard let fields else {
                for field in all { add(field: String(decoding: field.name, as: UTF8.self), field.value) }
                return
            }
            for path in fields {
                if let value = path.value(in: all) { add(field: path.text, value) }
            }
        }
        if !names.isEmpty { changes[Self.omitted] = names.joined(separator: " ") }
    }

    /// The variables of this process with a record's prefix: they belong to another record, for which this process
    /// was started.
    package static func inherited() -> [String] {
        var names: [String] = []
        var next = clinux_environment()
        while let entry = next?.pointee {
            let name = String(cString: entry).prefix { $0 != "=" }
            if name.hasPrefix(prefix) { names.append(String(name)) }
            next = next?.advanced(by: 1)
        }
        return names
    }

    private mutating func add(field name: String, _ value: RecordValue) {
        let variable = Self.variable(name)
        // A field called severity is not what the variable says.
        if Self.own.contains(variable), (changes[Self.prefix + variable] ?? nil) == nil { return omit(variable) }
        add(variable, value.text)
    }

    /// The first value of a name counts.
    private mutating func add(_ name: String, _ value: String) {
        let variable = Self.prefix + name
        if let known = changes[variable], known != nil { return }
        let count = variable.utf8.count + value.utf8.count + 2
        guard
            variable != Self.omitted, name.utf8.count <= Self.maxNameLength, value.utf8.count <= Self.maxValueSize,
            size + count <= Self.maxSize, !value.utf8.contains(0)
        else { return omit(name) }
        size += count
        changes[variable] = value
    }

    private mutating func omit(_ name: String) {
        if names.count < 64, !names.contains(name) { names.append(String(name.prefix(Self.maxNameLength))) }
    }

    /// A field's name as shells have it: capitals, digits and `_`.
    private static func variable(_ name: String) -> String {
        String(
            decoding: name.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & 0xDF
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
                default: UInt8(ascii: "_")
                }
            },
            as: UTF8.self
        )
    }
}
