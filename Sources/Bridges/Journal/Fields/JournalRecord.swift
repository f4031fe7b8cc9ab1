public import Filter

/// An entry as a filter sees it: the fields that the filter reads, where they lie. Nothing is copied or made into
/// strings.
///
/// It is lent out for the length of one evaluation.
public struct JournalRecord: FilterRecord, FieldSource, ~Copyable {
    /// Owned by the gatherer that lends this record, which outlives the evaluation.
    let readings: UnsafeBufferPointer<FieldReading>
    let slots: UnsafeBufferPointer<UnsafeRawBufferPointer?>
    /// Values beyond the first, in the entry's order.
    let further: UnsafeBufferPointer<FurtherValue>
    let cursor: UnsafeRawBufferPointer
    let realtime: UInt64
    let monotonic: UInt64

    struct FurtherValue: BitwiseCopyable {
        let slot: Int
        let value: UnsafeRawBufferPointer
    }

    public func value(of field: FieldID) -> FieldValue {
        fieldValue(field, 0)
    }

    public func value(of field: FieldID, at index: Int) -> FieldValue {
        fieldValue(field, index)
    }

    @inline(__always)
    func reading(_ field: FieldID) -> FieldReading? {
        readings.indices.contains(field.rawValue) ? readings[field.rawValue] : nil
    }

    @inline(__always)
    func first(_ slot: Int) -> UnsafeRawBufferPointer? {
        slots[slot]
    }

    func further(_ slot: Int, _ index: Int) -> UnsafeRawBufferPointer? {
        var rest = index
        for other in further where other.slot == slot {
            rest -= 1
            if rest == 0 { return other.value }
        }
        return nil
    }
}
