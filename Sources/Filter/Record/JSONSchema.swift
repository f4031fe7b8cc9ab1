import Synchronization

/// The members of JSON objects as fields, such as the lines of a log that is written as JSON.
///
/// ```swift
/// import Filter
///
/// let line = Array(#"{"level": "error", "request": {"status": 502}}"#.utf8)
/// let schema = JSONSchema(members: ["level", "message", "request"])
/// let filter = try CompiledFilter("level in ['error', 'fatal'] && request.?status.orValue(0) >= 500", schema: schema)
/// let isWanted = schema.withRecord(line) { filter.matches($0) }
/// ```
public final class JSONSchema: FieldSchema {
    private struct Table {
        var names: [String] = []
        var places: [String: Int] = [:]
    }

    private let table = Mutex(Table())
    private let members: [String]?
    private let known: Set<String>?
    public let timeField: String? = nil

    /// - Parameter members: the names that objects may have at the top, so that a misspelt one is refused. Without them,
    ///   every name is accepted.
    public init(members: [String]? = nil) {
        self.members = members
        known = members.map(Set.init)
    }

    public var knownNames: [String] { members ?? [] }

    public func field(named name: String) -> FieldDefinition? {
        let member: String?
        if let known {
            member = known.contains(name) && !name.contains(".") ? name : nil
        } else {
            member = LanguageNames.member(name)
        }
        guard let name = member else { return nil }
        let place = table.withLock { table in
            if let known = table.places[name] { return known }
            table.places[name] = table.names.count
            table.names.append(name)
            return table.names.count - 1
        }
        return FieldDefinition(id: FieldID(rawValue: place), name: name, type: .dynamic)
    }

    /// Lends the object in the text to one evaluation. A text that is not a JSON object has no fields.
    public func withRecord<Result>(_ text: UnsafeRawBufferPointer, _ body: (borrowing JSONRecord) -> Result) -> Result {
        let names = table.withLock { $0.names }
        var isSearched = false
        return withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer?.self, capacity: names.count) { values in
            values.initialize(repeating: nil)
            return withUnsafeMutablePointer(to: &isSearched) { body(JSONRecord(text, names, values, $0)) }
        }
    }

    /// The same, for bytes that lie in an array or a string's UTF-8.
    public func withRecord<Result>(_ text: some Sequence<UInt8>, _ body: (borrowing JSONRecord) -> Result) -> Result {
        text.withContiguousStorageIfAvailable { withRecord(UnsafeRawBufferPointer($0), body) }
            ?? Array(text).withUnsafeBytes { withRecord($0, body) }
    }
}
