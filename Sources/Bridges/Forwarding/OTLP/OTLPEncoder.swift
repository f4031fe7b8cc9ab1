import JournalBridge

/// Encodes entries from a journal's memory as requests of about a quarter of a MiB.
// Used by the reader's thread alone, which makes it.
final class OTLPEncoder: EntryEncoder {
    /// So many records or bytes make a request. Some receivers limit both.
    private static let (maxRecords, maxBytes) = (1000, 256 << 10)

    private var logs = OTLPLogs()
    private var record = OTLPRecord()
    private var field = ProtobufWriter(capacity: 1024)

    var isFull: Bool { logs.count >= Self.maxRecords || logs.maxSize >= Self.maxBytes }

    func begin(cursor: UnsafeRawBufferPointer, realtime: UInt64) { record.begin(cursor: cursor, realtime: realtime) }

    func encode(
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, UInt8) -> Void
    ) {
        let part = OTLPRecord.encode(name, value, into: &field)
        field.bytes.withUnsafeBytes { body($0, part.rawValue) }
    }

    func add(_ encoded: UnsafeRawBufferPointer, kind: UInt8, value: UnsafeRawBufferPointer) {
        if let part = OTLPRecord.Part(rawValue: kind) { record.add(encoded, part, value) }
    }

    func end() { record.withEncoded { logs.append(resource: $0, record: $1) } }

    func encode(_ entry: JournalEntry) {
        record.encode(entry)
        end()
    }

    func take() -> [UInt8] {
        defer { logs = OTLPLogs() }
        return logs.bytes
    }
}
