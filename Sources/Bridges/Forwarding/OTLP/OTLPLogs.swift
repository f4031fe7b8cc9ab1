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
        var records = ProtobufWriter()
    }

    static let resourceLogs: UInt8 = 1
    static let resource: UInt8 = 1
    static let scopeLogs: UInt8 = 2
    static let logRecords: UInt8 = 2
    /// The heads of the messages around a group's records take at most so many bytes.
    private static let maxHead = 24

    private var groups: [Group] = []
    private var places: [[UInt8]: Int] = [:]
    /// The group of the last record: the next one is often of the same service.
    private var last = 0
    /// How many records there are.
    public private(set) var count = 0
    /// ``bytes`` has no more bytes than this, and at most 24 fewer for each resource.
    public private(set) var maxSize = 0

    /// A request without records.
    public init() {}

    /// Appends an entry as a log record.
    public mutating func append(_ entry: JournalEntry) {
        var record = OTLPRecord()
        record.encode(entry)
        record.withEncoded { append(resource: $0, record: $1) }
    }

    /// Appends a record of any source as a log record.
    ///
    /// - Parameters:
    ///   - record: an entry of a journal, or any other record; the article says what becomes of each.
    ///   - id: the attribute `log.record.uid`; an entry of a journal has its cursor.
    public mutating func append(_ record: Record, id: String) {
        if let content = record.content as? JournalContent { return append(content.entry) }
        var encoded = OTLPRecord()
        encoded.encode(record, id: id)
        encoded.withEncoded { append(resource: $0, record: $1) }
    }

    /// Appends an encoded `LogRecord`.
    mutating func append(resource: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer) {
        if last >= groups.count || !groups[last].resource.elementsEqual(resource) { find(Array(resource)) }
        let before = groups[last].records.bytes.count
        groups[last].records.write(record, field: Self.logRecords)
        maxSize += groups[last].records.bytes.count - before
        count += 1
    }

    private mutating func find(_ resource: [UInt8]) {
        last = places[resource] ?? groups.count
        guard last == groups.count else { return }
        places[resource] = last
        groups.append(Group(resource: resource))
        maxSize += resource.count + Self.maxHead
    }

    /// The encoded request.
    public var bytes: [UInt8] {
        var request = ProtobufWriter(capacity: maxSize)
        for group in groups {
            let size =
                ProtobufWriter.size(ofFieldWith: group.resource.count)
                + ProtobufWriter.size(ofFieldWith: group.records.bytes.count)
            request.begin(Self.resourceLogs, count: size)
            request.write(group.resource, field: Self.resource)
            request.write(group.records.bytes, field: Self.scopeLogs)
        }
        return request.bytes
    }

    /// How many records an encoded request has.
    static func count(of request: [UInt8]) throws(ProtobufFlaw) -> Int { try OTLPRecords(request).count }
}
