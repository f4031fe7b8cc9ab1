public import Filter

/// An entry as a filter sees it: the fields that the filter reads, in place. Nothing is copied or made into strings.
///
/// It is lent for the length of one evaluation.
public struct JournalRecord: FilterRecord, FieldSource, ~Copyable {
    /// Owned by the gatherer that lends this record, which outlives the evaluation.
    let readings: UnsafeBufferPointer<FieldReading>
    let slots: UnsafeBufferPointer<UnsafeRawBufferPointer?>
    /// Values beyond the first: those of one slot side by side, in the entry's order.
    let further: UnsafeBufferPointer<FurtherValue>
    /// The index of each slot's first further value, if it has any.
    let furtherStarts: UnsafeBufferPointer<Int>
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
        let place = furtherStarts[slot] + index - 1
        guard further.indices.contains(place), further[place].slot == slot else { return nil }
        return further[place].value
    }
}
