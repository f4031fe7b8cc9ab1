import JournalBridge
import Records

/// Encodes journal entries one after the other, each as a `LogRecord` and the `Resource` that it belongs to.
///
/// An entry begins with ``begin(cursor:realtime:)``; its fields are added; ``withEncoded(_:)`` lends the result. The memory is used again.
struct OTLPRecord: Sendable {
    /// The numbers of the fields of a `LogRecord`.
    enum Field {
        static let time: UInt8 = 1
        static let severityNumber: UInt8 = 2
        static let severityText: UInt8 = 3
        static let body: UInt8 = 5
        static let attribute: UInt8 = 6
        static let traceID: UInt8 = 9
        static let spanID: UInt8 = 10
        static let observedTime: UInt8 = 11
    }

    /// A record takes at least so many bytes of a request: its times and the attribute with its id.
    static let minSize = 64

    /// What an encoded field is to its record.
    enum Part: UInt8, Sendable {
        /// An attribute with the field's own name; of the second and third, the value may be the service's name.
        case own, unit, identifier
        /// Another field of the record; of the second, the value may be the service's name.
        case other, command
        case resource
        /// The record's time, which has no bytes of its own.
        case time

        var hasOwnName: Bool { rawValue <= Part.identifier.rawValue }
    }

    /// Whence the service's name is, the best first.
    private enum NameSource: UInt8 { case unit, identifier, command, none }

    private static let serviceSuffix: StaticString = ".service"
    /// The name that OpenTelemetry's conventions prescribe where there is none.
    private static let unknownService: StaticString = "unknown_service"

    private var record = ProtobufWriter(capacity: 4096)
    /// The resource's attributes but for the service's name.
    private var resource = ProtobufWriter(capacity: 256)
    private var wholeResource = ProtobufWriter(capacity: 256)
    private var service: [UInt8] = []
    private var serviceSource = NameSource.none

    /// Begins an entry.
    ///
    /// - Parameter realtime: when the journal received it, in microseconds since 1970.
    mutating func begin(cursor: UnsafeRawBufferPointer, realtime: UInt64) {
        record.removeAll()
        resource.removeAll()
        serviceSource = .none
        record.write(fixed: Self.nanoseconds(realtime), field: Field.time)
        record.write(fixed: Self.nanoseconds(realtime), field: Field.observedTime)
        if !cursor.isEmpty { record.write(attribute: "log.record.uid", value: cursor, field: Field.attribute) }
    }

    /// Encodes a whole entry.
    mutating func encode(_ entry: JournalEntry) {
        entry.withCursor { begin(cursor: $0, realtime: UInt64(clamping: entry.realtime.microseconds)) }
        var field = ProtobufWriter()
        entry.forEachField { name, value, others in
            let part = Self.encode(name, value, into: &field)
            if others.isEmpty || !part.hasOwnName {
                field.bytes.withUnsafeBytes { add($0, part, value) }
            } else {
                nameService(part, value)
            }
            guard !others.isEmpty else { return }
            record.write(attribute: name, values: part.hasOwnName ? [value] + others : others, field: Field.attribute)
        }
    }

    /// Encodes a record of another source, whose name is the service's. Fields with the message, a trace's id and a span's id are no attributes.
    mutating func encode(_ entry: Record, id: String) {
        record.removeAll()
        resource.removeAll()
        record.write(fixed: Self.nanoseconds(UInt64(clamping: entry.time.microseconds)), field: Field.time)
        record.write(fixed: Self.nanoseconds(UInt64(clamping: RecordTime.now.microseconds)), field: Field.observedTime)
        Array(id.utf8).withUnsafeBytes { record.write(attribute: "log.record.uid", value: $0, field: Field.attribute) }
        (service, serviceSource) = (Array(entry.source.utf8), .unit)
        if let severity = entry.severity { OTLPSeverity(severity).write(into: &record) }
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

    /// - Returns: whether the field is the id of a trace or a span, by one of the usual names.
    private mutating func writeID(_ field: RecordField) -> Bool {
        switch String(decoding: field.name.prefix(16), as: UTF8.self) {
        case "trace_id", "traceId", "TRACE_ID", "traceid":
            field.value.withPlainBytes { Self.writeID($0, count: 16, field: Field.traceID, into: &record) }
        case "span_id", "spanId", "SPAN_ID", "spanid":
            field.value.withPlainBytes { Self.writeID($0, count: 8, field: Field.spanID, into: &record) }
        default: false
        }
    }

    /// Adds an encoded field.
    ///
    /// - Parameter value: the field's value as the journal has it.
    mutating func add(_ encoded: UnsafeRawBufferPointer, _ part: Part, _ value: UnsafeRawBufferPointer) {
        switch part {
        case .own, .other: record.write(encoded: encoded)
        case .unit, .identifier, .command:
            record.write(encoded: encoded)
            nameService(part, value)
        case .resource: resource.write(encoded: encoded)
        case .time:
            if let time = PlainDecimal.parse(value) { record.replace(fixedAt: 0, with: Self.nanoseconds(UInt64(time))) }
        }
    }

    /// The service is the unit without its suffix if that is a service, else the identifier, else the process's name.
    private mutating func nameService(_ part: Part, _ value: UnsafeRawBufferPointer) {
        let source: NameSource
        var name = value[...]
        switch part {
        case .unit:
            guard value.count > Self.serviceSuffix.utf8.count,
                value.suffix(Self.serviceSuffix.utf8.count).elementsEqual(Self.serviceSuffix.utf8)
            else { return }
            name = value.dropLast(Self.serviceSuffix.utf8.count)
            source = .unit
        case .identifier: source = .identifier
        case .command: source = .command
        default: return
        }
        guard !name.isEmpty, source.rawValue < serviceSource.rawValue else { return }
        service.removeAll(keepingCapacity: true)
        service.append(contentsOf: UnsafeRawBufferPointer(rebasing: name))
        serviceSource = source
    }

    /// Lends the encoded `Resource` and `LogRecord`.
    mutating func withEncoded(_ body: (_ resource: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) -> Void) {
        wholeResource.removeAll()
        if serviceSource == .none {
            wholeResource.write(attribute: "service.name", value: Self.unknownService.utf8, field: 1)
        } else {
            service.withUnsafeBytes { wholeResource.write(attribute: "service.name", value: $0, field: 1) }
        }
        resource.bytes.withUnsafeBytes { wholeResource.write(encoded: $0) }
        wholeResource.bytes.withUnsafeBytes { resource in record.bytes.withUnsafeBytes { body(resource, $0) } }
    }

    /// Microseconds as nanoseconds; a time that is too late for these becomes the latest.
    private static func nanoseconds(_ time: UInt64) -> UInt64 {
        let (product, isTooLarge) = time.multipliedReportingOverflow(by: 1000)
        return isTooLarge ? .max : product
    }
}

// MARK: Single fields

extension OTLPRecord {
    /// Encodes a field by itself, in the place of what `field` has. It depends on nothing else, so that a field that many entries have needs to be
    /// encoded once.
    static func encode(
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        into field: inout ProtobufWriter
    ) -> Part {
        field.removeAll()
        let use = OTLPField.use(of: name)
        if let use, let part = take(value, as: use, into: &field) { return part }
        field.write(attribute: name, value: value, field: Field.attribute)
        return switch use {
        case .unit: .unit
        case .identifier: .identifier
        default: .own
        }
    }

    /// - Returns: `nil`, with nothing written, where the value is not what the table says, as a priority of 9 is not.
    private static func take(
        _ value: UnsafeRawBufferPointer,
        as use: OTLPField.Use,
        into field: inout ProtobufWriter
    ) -> Part? {
        switch use {
        case .body: field.write(value: value, field: Field.body)
        case .severity:
            guard let severity = OTLPSeverity(priority: value) else { return nil }
            severity.write(into: &field)
        case .time:
            // As the journal's own time of an entry.
            guard let time = PlainDecimal.parse(value), time > 0, time < 1 << 55 else { return nil }
            return .time
        case .trace: return writeID(value, count: 16, field: Field.traceID, into: &field) ? .other : nil
        case .span: return writeID(value, count: 8, field: Field.spanID, into: &field) ? .other : nil
        case .attribute(let key): field.write(attribute: key, value: value, field: Field.attribute)
        case .number(let key):
            guard let number = PlainDecimal.parse(value) else { return nil }
            field.write(attribute: key, number: number, field: Field.attribute)
        case .resource(let key):
            field.write(attribute: key, value: value, field: 1)
            return .resource
        case .command(let key):
            field.write(attribute: key, value: value, field: Field.attribute)
            return .command
        case .unit, .identifier: return nil
        }
        return .other
    }

    /// - Returns: false for what is no id of so many bytes in hexadecimal digits. Zero is none, either.
    private static func writeID(
        _ value: UnsafeRawBufferPointer,
        count: Int,
        field: UInt8,
        into output: inout ProtobufWriter
    ) -> Bool {
        guard value.count == 2 * count else { return false }
        var id: [UInt8] = []
        for place in stride(from: 0, to: value.count, by: 2) {
            guard let high = Character(Unicode.Scalar(value[place])).hexDigitValue,
                let low = Character(Unicode.Scalar(value[place + 1])).hexDigitValue
            else { return false }
            id.append(UInt8(high << 4 | low))
        }
        guard id.contains(where: { $0 != 0 }) else { return false }
        output.write(id, field: field)
        return true
    }
}
