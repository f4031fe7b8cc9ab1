public import Records

/// An entry to be written to the journal: its fields, in journald's own format.
///
/// ```swift
/// import SystemdBridge
///
/// var message = JournalMessage("disk is full", priority: .critical, fields: ["DEVICE": "/dev/sda1"])
/// message.add(bytes: [0, 1, 2], for: "REPORT")
/// try JournalWriter.system.write(message)
/// ```
public struct JournalMessage: Sendable, Hashable {
    /// The fields one after the other, each as journald's native protocol has them.
    private(set) var bytes: [UInt8] = []
    /// Whether `SYSLOG_IDENTIFIER` is among them.
    private(set) var hasIdentifier = false

    /// A message with its text, its priority and its place in the program (`CODE_FILE`, `CODE_FUNC`, `CODE_LINE`).
    ///
    /// - Parameters:
    ///   - text: may have line breaks.
    ///   - priority: how important it is.
    ///   - fields: further fields, for searches; see ``add(_:for:)``.
    ///   - file: the place in the program that makes the message.
    ///   - function: the same.
    ///   - line: the same.
    public init(
        _ text: String,
        priority: Severity = .info,
        fields: KeyValuePairs<JournalFieldName, String> = [:],
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) {
        self.init(text, priority: priority)
        append("CODE_FILE", file)
        append("CODE_FUNC", function)
        append("CODE_LINE", decimal: line)
        for (name, value) in fields { add(value, for: name) }
    }

    /// The same without its place in the program.
    public init(_ text: String, priority: Severity) {
        bytes.reserveCapacity(256)
        append("MESSAGE", text)
        append("PRIORITY", decimal: UInt(priority.rawValue))
    }

    /// Only the writer's identifier, to go with another message.
    init(identifier: String) {
        append("SYSLOG_IDENTIFIER", identifier)
    }

    /// Adds a field. A field of the same name is not replaced: an entry can have several.
    public mutating func add(_ value: String, for name: JournalFieldName) {
        append(name.description, value)
    }

    /// Adds a field whose value is any bytes.
    public mutating func add(bytes value: some Collection<UInt8>, for name: JournalFieldName) {
        let value = Array(value)
        value.withUnsafeBufferPointer { append(name.description, $0) }
    }

    // MARK: journald's native protocol

    private mutating func append(_ name: String, _ value: String) {
        var value = value
        value.withUTF8 { append(name, $0) }
    }

    private mutating func append(_ name: String, _ value: StaticString) {
        // A literal of one scalar has no pointer.
        guard value.hasPointerRepresentation else { return append(name, value.description) }
        append(name, UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    private mutating func append(_ name: String, decimal value: UInt) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "="))
        bytes.append(contentsOf: String(value).utf8)
        bytes.append(10)
    }

    private mutating func append(_ name: String, _ value: UnsafeBufferPointer<UInt8>) {
        if name == "SYSLOG_IDENTIFIER" { hasIdentifier = true }
        bytes.append(contentsOf: name.utf8)
        if value.contains(10) {
            // With its length in front, a value may have line breaks.
            bytes.append(10)
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes.append(contentsOf: $0) }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes.append(contentsOf: value)
        bytes.append(10)
    }
}
