import Filter

/// An entry whose fields are found by slot, for the evaluation of a filter.
protocol FieldSource: ~Copyable {
    /// How to read the field; `nil` for a field that the layout does not know.
    func reading(_ field: FieldID) -> FieldReading?

    var realtime: UInt64 { get }
    var monotonic: UInt64 { get }
    /// Empty when it was not asked for.
    var cursor: UnsafeRawBufferPointer { get }

    /// The first value of the slot's field.
    func first(_ slot: Int) -> UnsafeRawBufferPointer?

    /// The further values of the slot's field, counted from 1. Only slots that were asked for as repeated have any.
    func further(_ slot: Int, _ index: Int) -> UnsafeRawBufferPointer?
}

extension FieldSource where Self: ~Copyable {
    @inline(__always)
    func fieldValue(_ field: FieldID, _ index: Int) -> FieldValue {
        guard let reading = reading(field) else { return .absent }
        switch reading {
        case .text(let slot): return text(slot, index)
        case .int(let slot, let range): return number(slot, range, index)
        case .unit(let slots): return unit(slots, at: index).map { .text($0) } ?? .absent
        case _ where index > 0: return .absent
        case .time(let source):
            return .timestamp(microseconds: Int64(clamping: EntryTime.of(source: first(source), received: realtime)))
        case .realtime: return .int(Int64(clamping: realtime))
        case .monotonic: return .int(Int64(clamping: monotonic))
        case .cursor: return cursor.isEmpty ? .absent : .text(cursor)
        }
    }

    @inline(__always)
    private func bytes(_ slot: Int, _ index: Int) -> UnsafeRawBufferPointer? {
        index == 0 ? first(slot) : further(slot, index)
    }

    @inline(__always)
    private func text(_ slot: Int, _ index: Int) -> FieldValue {
        bytes(slot, index).map { .text($0) } ?? .absent
    }

    private func number(_ slot: Int, _ range: ClosedRange<Int64>?, _ index: Int) -> FieldValue {
        guard let bytes = bytes(slot, index) else { return .absent }
        guard let number = PlainDecimal.parse(bytes), range?.contains(number) ?? true else { return .text(bytes) }
        return .int(number)
    }
}
