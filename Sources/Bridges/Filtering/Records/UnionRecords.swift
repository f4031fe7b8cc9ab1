import Filter
import JournalBridge
import Records

/// An entry of a journal as a filter over several sources sees it.
///
/// It is lent for the length of one evaluation, in which the pointers are valid.
struct JournalUnionRecord: FilterRecord {
    let places: [RecordSchema.Place]
    let inner: UnsafePointer<JournalRecord>
    let source: UnsafeRawBufferPointer
    /// `nil` where the entry has not been given its number yet.
    let sequence: UInt64?
    let isLate: Bool

    func value(of field: FieldID) -> FieldValue { value(of: field, at: 0) }

    func value(of field: FieldID, at index: Int) -> FieldValue {
        let place = places[field.rawValue]
        if let id = place.journal { return inner.pointee.value(of: id, at: index) }
        guard index == 0 else { return .absent }
        return switch place.common {
        case .source: .text(source)
        case .sequence: sequence.map { .int(Int64(clamping: $0)) } ?? .absent
        case .isLate: .bool(isLate)
        case .isGap: .bool(false)
        default: .absent
        }
    }
}

/// Any other record, in the same way.
struct FieldUnionRecord: FilterRecord {
    let places: [RecordSchema.Place]
    let fields: UnsafeBufferPointer<RecordField>
    let record: Record
    let source: UnsafeRawBufferPointer
    let message: UnsafeRawBufferPointer?

    func value(of field: FieldID) -> FieldValue { value(of: field, at: 0) }

    func value(of field: FieldID, at index: Int) -> FieldValue {
        let place = places[field.rawValue]
        guard let common = place.common else {
            var rest = index
            for field in fields where field.name.count == place.name.count && field.name.elementsEqual(place.name) {
                if rest == 0 { return Self.value(field.value) }
                rest -= 1
            }
            return .absent
        }
        guard index == 0 else { return .absent }
        switch common {
        case .source: return .text(source)
        case .time: return .timestamp(microseconds: record.time.microseconds)
        case .realtime: return .int(record.time.microseconds)
        case .monotonic: return record.monotonic.map { .int($0.wholeMicroseconds) } ?? .absent
        case .message: return message.map { .text($0) } ?? .absent
        case .severity: return record.severity.map { .int(Int64($0.rawValue)) } ?? .absent
        case .sequence: return .int(Int64(clamping: record.sequence))
        case .isLate: return .bool(record.isLate)
        case .isGap:
            if case .gap = record.kind { return .bool(true) }
            return .bool(false)
        }
    }

    private static func value(_ value: RecordValue) -> FieldValue {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .uint(let value): .uint(value)
        case .double(let value): .double(value)
        case .text(let bytes): .text(bytes)
        case .bytes(let bytes): .bytes(bytes)
        case .time(let microseconds): .timestamp(microseconds: microseconds)
        case .duration(let nanoseconds): .duration(nanoseconds: nanoseconds)
        case .json(let text): .json(text)
        }
    }
}
