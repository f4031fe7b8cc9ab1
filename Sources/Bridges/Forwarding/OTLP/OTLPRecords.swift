/// The log records of an encoded request, one by one.
struct OTLPRecords {
    private struct Record {
        /// An encoded `Resource`.
        let resource: ArraySlice<UInt8>
        /// An encoded `LogRecord`.
        let bytes: ArraySlice<UInt8>
    }

    private var records: [Record] = []

    var count: Int { records.count }

    /// - Parameter request: one that ``OTLPLogs`` has encoded, or several of them one behind the other, which are one request to protobuf.
    init(_ request: [UInt8]) throws(ProtobufFlaw) {
        var reader = ProtobufReader(request[...])
        while let (field, value) = try reader.next() {
            guard field == OTLPLogs.resourceLogs, case .bytes(let logs) = value else {
                throw ProtobufFlaw("a field that is no ResourceLogs", at: 0)
            }
            try add(resourceLogs: logs)
        }
    }

    private mutating func add(resourceLogs bytes: ArraySlice<UInt8>) throws(ProtobufFlaw) {
        var logs = ProtobufReader(bytes)
        guard case (UInt64(OTLPLogs.resource), .bytes(let resource))? = try logs.next(),
            case (UInt64(OTLPLogs.scopeLogs), .bytes(let scope))? = try logs.next()
        else { throw ProtobufFlaw("no resource with its records", at: 0) }
        var reader = ProtobufReader(scope)
        while let (field, value) = try reader.next() {
            guard field == OTLPLogs.logRecords, case .bytes(let record) = value else {
                throw ProtobufFlaw("a field that is no log record", at: 0)
            }
            records.append(Record(resource: resource, bytes: record))
        }
    }

    /// Some of the records as a request.
    func request(of range: Range<Int>) -> [UInt8] {
        var logs = OTLPLogs()
        for record in records[range] {
            record.resource.withUnsafeBytes { resource in
                record.bytes.withUnsafeBytes { logs.append(resource: resource, record: $0) }
            }
        }
        return logs.bytes
    }

    /// The cursor of a record's entry, if it has one.
    func cursor(of index: Int) throws(ProtobufFlaw) -> String? {
        for attribute in try Self.fields(records[index].bytes, OTLPRecord.Field.attribute) {
            guard try Self.fields(attribute, 1).first?.elementsEqual("log.record.uid".utf8) == true else { continue }
            let text = try Self.fields(attribute, 2).first.map { value throws(ProtobufFlaw) in try Self.fields(value, 1)
            }
            return text?.first.map { String(decoding: $0, as: UTF8.self) }
        }
        return nil
    }

    private static func fields(
        _ message: ArraySlice<UInt8>,
        _ number: UInt8
    ) throws(ProtobufFlaw) -> [ArraySlice<UInt8>] {
        var (reader, found) = (ProtobufReader(message), [ArraySlice<UInt8>]())
        while let (field, value) = try reader.next() {
            if field == number, case .bytes(let part) = value { found.append(part) }
        }
        return found
    }
}
