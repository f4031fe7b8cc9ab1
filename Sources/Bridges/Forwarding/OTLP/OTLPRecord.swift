import JournalBridge
import Records

/// A journal entry as a log record: an encoded `LogRecord`, and the encoded `Resource` that it belongs to.
struct OTLPRecord: Sendable {
    /// The numbers of the fields of a `LogRecord`.
    private enum Field {
        static let time: UInt8 = 1
        static let severityNumber: UInt8 = 2
        static let severityText: UInt8 = 3
        static let body: UInt8 = 5
        static let attribute: UInt8 = 6
        static let traceID: UInt8 = 9
        static let spanID: UInt8 = 10
        static let observedTime: UInt8 = 11
    }

    private(set) var record = ProtobufWriter(capacity: 1024)
    private(set) var resource = ProtobufWriter(capacity: 128)

    init(_ entry: JournalEntry) {
        record.write(fixed: Self.nanoseconds(entry.time), field: Field.time)
        record.write(fixed: Self.nanoseconds(entry.realtime), field: Field.observedTime)
        entry.withCursor { cursor in
            if !cursor.isEmpty { record.write(attribute: "log.record.uid", value: cursor, field: Field.attribute) }
        }
        writeService(of: entry)
        entry.forEachField { name, value, others in
            let isTaken = OTLPField.use(of: name).map { take(value, as: $0, of: entry) } ?? false
            let rest = isTaken ? others : [value] + others
            if !rest.isEmpty { record.write(attribute: name, values: rest, field: Field.attribute) }
        }
    }

    /// A record of another source. The service is the source. Fields with the message, a trace's id and a span's id are no attributes.
    init(_ entry: Record, id: String) {
        record.write(fixed: Self.nanoseconds(UInt64(clamping: entry.time)), field: Field.time)
        record.write(fixed: Self.nanoseconds(UInt64(clamping: Record.now)), field: Field.observedTime)
        Self.lend(id) { record.write(attribute: "log.record.uid", value: $0, field: Field.attribute) }
        Self.lend(entry.source) { writeService(named: $0) }
        if let severity = entry.severity { write(OTLPSeverity(severity)) }
        entry.content.withMessage { message in
            if let message { record.write(value: message, field: Field.body) }
        }
        var isMessageTaken = false
        entry.content.withExactFields { fields in
            for field in fields {
                if !isMessageTaken, field.value.withPlainBytes(entry.says) {
                    isMessageTaken = true
                } else if !writeID(field) {
                    record.write(attribute: field.name, field.value, field: Field.attribute)
                }
            }
        }
    }

    private static func lend(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
        var text = text
        text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// - Returns: whether the field is the id of a trace or a span, by one of the usual names.
    private mutating func writeID(_ field: RecordField) -> Bool {
        switch String(decoding: field.name.prefix(16), as: UTF8.self) {
        case "trace_id", "traceId", "TRACE_ID", "traceid":
            field.value.withPlainBytes { writeID($0, count: 16, field: Field.traceID) }
        case "span_id", "spanId", "SPAN_ID", "spanid":
            field.value.withPlainBytes { writeID($0, count: 8, field: Field.spanID) }
        default: false
        }
    }

    private mutating func write(_ severity: OTLPSeverity) {
        record.write(severity.number, field: Field.severityNumber)
        record.write(Array(severity.text.utf8), field: Field.severityText)
    }

    /// Microseconds as nanoseconds; a time that is too late for these becomes the latest.
    private static func nanoseconds(_ time: UInt64) -> UInt64 {
        let (product, isTooLarge) = time.multipliedReportingOverflow(by: 1000)
        return isTooLarge ? .max : product
    }

    /// The service is the unit without its suffix if that is a service, else the identifier, else the process's name.
    private mutating func writeService(of entry: JournalEntry) {
        let suffix: StaticString = ".service"
        let isUnit = entry.withValue(of: "_SYSTEMD_UNIT") { unit in
            guard let unit, unit.count > suffix.utf8.count, unit.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
            else { return false }
            writeService(named: UnsafeRawBufferPointer(rebasing: unit.dropLast(suffix.utf8.count)))
            return true
        }
        if isUnit { return }
        for field in ["SYSLOG_IDENTIFIER", "_COMM"] {
            let isNamed = entry.withValue(of: field) { name in
                guard let name, !name.isEmpty else { return false }
                writeService(named: name)
                return true
            }
            if isNamed { return }
        }
        // The name that OpenTelemetry's conventions prescribe.
        writeService(named: ("unknown_service" as StaticString).utf8)
    }

    private mutating func writeService(named name: UnsafeRawBufferPointer) {
        resource.write(attribute: "service.name", value: name, field: 1)
    }

    /// - Returns: whether the value has become what the table says; a priority of 9, for one, has not.
    private mutating func take(_ value: UnsafeRawBufferPointer, as use: OTLPField.Use, of entry: JournalEntry) -> Bool {
        switch use {
        case .body: record.write(value: value, field: Field.body)
        case .severity:
            guard let severity = OTLPSeverity(priority: value) else { return false }
            write(severity)
        case .time: return Self.number(value).map { UInt64(exactly: $0) == entry.time } ?? false
        case .trace: return writeID(value, count: 16, field: Field.traceID)
        case .span: return writeID(value, count: 8, field: Field.spanID)
        case .attribute(let key): record.write(attribute: key, value: value, field: Field.attribute)
        case .number(let key):
            guard let number = Self.number(value) else { return false }
            record.write(attribute: key, number: number, field: Field.attribute)
        case .resource(let key): resource.write(attribute: key, value: value, field: 1)
        }
        return true
    }

    /// A whole number, if it is written as Swift writes it, so that nothing is lost.
    private static func number(_ value: UnsafeRawBufferPointer) -> Int64? {
        let text = String(decoding: value.prefix(21), as: UTF8.self)
        guard value.count <= 20, let number = Int64(text), String(number) == text else { return nil }
        return number
    }

    /// - Returns: false for what is no id of so many bytes in hexadecimal digits. Zero is none, either.
    private mutating func writeID(_ value: UnsafeRawBufferPointer, count: Int, field: UInt8) -> Bool {
        guard value.count == 2 * count else { return false }
        var id: [UInt8] = []
        for place in stride(from: 0, to: value.count, by: 2) {
            guard let high = Character(Unicode.Scalar(value[place])).hexDigitValue,
                let low = Character(Unicode.Scalar(value[place + 1])).hexDigitValue
            else { return false }
            id.append(UInt8(high << 4 | low))
        }
        guard id.contains(where: { $0 != 0 }) else { return false }
        record.write(id, field: field)
        return true
    }
}
