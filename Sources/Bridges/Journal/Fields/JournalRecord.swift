public import Filter

/// An entry as a filter sees it: the fields that the filter reads, where they lie. Nothing is copied or made into
/// strings.
///
/// It is lent out for the length of one evaluation.
public struct JournalRecord: FilterRecord, ~Copyable {
    /// Owned by the gatherer that lends this record, which outlives the evaluation.
    let readings: UnsafeBufferPointer<FieldReading>
    let slots: UnsafeBufferPointer<UnsafeRawBufferPointer?>
    let cursor: UnsafeRawBufferPointer
    let realtime: UInt64
    let monotonic: UInt64

    public func value(of field: FieldID) -> FieldValue {
        guard readings.indices.contains(field.rawValue) else { return .absent }
        switch readings[field.rawValue] {
        case .text(let slot): return text(slot)
        case .int(let slot, let range): return number(slot, range)
        case .unit(let process, let about, let own):
            if let process = slots[process], process.count == 1, process[0] == UInt8(ascii: "1"), slots[about] != nil {
                return text(about)
            }
            return text(own)
        case .time: return .timestamp(microseconds: Int64(clamping: realtime))
        case .realtime: return .int(Int64(clamping: realtime))
        case .monotonic: return .int(Int64(clamping: monotonic))
        case .cursor: return cursor.isEmpty ? .absent : .text(cursor)
        }
    }

    private func text(_ slot: Int) -> FieldValue {
        slots[slot].map { .text($0) } ?? .absent
    }

    private func number(_ slot: Int, _ range: ClosedRange<Int64>?) -> FieldValue {
        guard let bytes = slots[slot] else { return .absent }
        guard let number = PlainDecimal.parse(bytes), range?.contains(number) ?? true else { return .text(bytes) }
        return .int(number)
    }
}
