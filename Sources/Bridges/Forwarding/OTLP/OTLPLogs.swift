public import JournalBridge
public import Records

/// Journal entries as the body of a request to an OTLP receiver: an `ExportLogsServiceRequest` in protobuf's binary encoding.
///
/// ```swift
/// import Forwarding
/// import JournalBridge
///
/// func body(of entries: [JournalEntry]) -> [UInt8] {
///     var logs = OTLPLogs()
///     for entry in entries { logs.append(entry) }
///     return logs.bytes  // POST to /v1/logs as application/x-protobuf
/// }
/// ```
///
/// The article <doc:JournalsInOpenTelemetry> says what becomes of each field. Records with the same resource stand together, in the order
/// in which they came.
public struct OTLPLogs: Sendable {
    private struct Group {
        let resource: [UInt8]
        /// `LogRecord` fields of a `ScopeLogs`.
        var records: [UInt8] = []
    }

    private static let resourceLogs: UInt8 = 1
    private static let resource: UInt8 = 1
    private static let scopeLogs: UInt8 = 2
    private static let logRecords: UInt8 = 2
    /// The heads of the messages around a group's records take at most so many bytes.
    private static let maxHead = 24

    private var groups: [Group] = []
    private var places: [[UInt8]: Int] = [:]
    /// How many records there are.
    public private(set) var count = 0
    /// ``bytes`` has no more bytes than this, and at most 24 fewer for each resource.
    public private(set) var maxSize = 0

    /// A request without records.
    public init() {}

    /// Appends an entry as a log record.
    public mutating func append(_ entry: JournalEntry) {
        append(OTLPRecord(entry))
    }

    /// Appends a record of any source as a log record.
    ///
    /// - Parameter id: the attribute `log.record.uid`.
    public mutating func append(_ record: Record, id: String) {
        if let content = record.content as? JournalContent { return append(content.entry) }
        append(OTLPRecord(record, id: id))
    }

    private mutating func append(_ encoded: OTLPRecord) {
        append(encoded.resource.bytes, count: 1) { $0.write(encoded.record.bytes, field: Self.logRecords) }
    }

    private mutating func append(_ resource: [UInt8], count: Int, _ write: (inout ProtobufWriter) -> Void) {
        var writer = ProtobufWriter()
        write(&writer)
        let place = places[resource] ?? groups.count
        if place == groups.count {
            places[resource] = place
            groups.append(Group(resource: resource))
            maxSize += resource.count + Self.maxHead
        }
        groups[place].records += writer.bytes
        maxSize += writer.bytes.count
        self.count += count
    }

    /// The encoded request.
    public var bytes: [UInt8] {
        var request = ProtobufWriter(capacity: maxSize)
        for group in groups {
            let size =
                ProtobufWriter.size(ofFieldWith: group.resource.count)
                + ProtobufWriter.size(ofFieldWith: group.records.count)
            request.begin(Self.resourceLogs, count: size)
            request.write(group.resource, field: Self.resource)
            request.write(group.records, field: Self.scopeLogs)
        }
        return request.bytes
    }

    /// Appends the records of another request that this type has encoded.
    ///
    /// - Throws: where the bytes are none; nothing is appended then.
    mutating func append(encoded bytes: [UInt8]) throws(ProtobufFlaw) {
        var found: [(resource: [UInt8], records: ArraySlice<UInt8>, count: Int)] = []
        var request = ProtobufReader(bytes[...])
        while let (field, value) = try request.next() {
            guard field == Self.resourceLogs, case .bytes(let logs) = value else {
                throw ProtobufFlaw("a field that is no ResourceLogs", at: 0)
            }
            found.append(try Self.parts(ofResourceLogs: logs))
        }
        for (resource, records, count) in found { append(resource, count: count) { $0.write(encoded: records) } }
    }

    private static func parts(
        ofResourceLogs bytes: ArraySlice<UInt8>
    ) throws(ProtobufFlaw) -> (resource: [UInt8], records: ArraySlice<UInt8>, count: Int) {
        var logs = ProtobufReader(bytes)
        guard case (UInt64(resource), .bytes(let resource))? = try logs.next(),
            case (UInt64(scopeLogs), .bytes(let scope))? = try logs.next()
        else { throw ProtobufFlaw("no resource with its records", at: 0) }
        var count = 0
        var records = ProtobufReader(scope)
        while let (field, _) = try records.next() {
            guard field == logRecords else { throw ProtobufFlaw("a field that is no log record", at: 0) }
            count += 1
        }
        return (Array(resource), scope, count)
    }
}
