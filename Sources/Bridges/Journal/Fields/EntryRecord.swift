import Filter

/// A whole entry as a filter sees it: a field is looked for when it is asked for.
struct EntryRecord: FilterRecord, FieldSource {
    let layout: FieldLayout
    let view: EntryView

    var realtime: UInt64 { view.header.realtime }
    var monotonic: UInt64 { view.header.monotonic }
    var cursor: UnsafeRawBufferPointer { view.cursor }

    func value(of field: FieldID) -> FieldValue { fieldValue(field, 0) }

    func value(of field: FieldID, at index: Int) -> FieldValue { fieldValue(field, index) }

    func reading(_ field: FieldID) -> FieldReading? {
        layout.readings.indices.contains(field.rawValue) ? layout.readings[field.rawValue] : nil
    }

    func first(_ slot: Int) -> UnsafeRawBufferPointer? {
        layout.names[slot].withUnsafeBytes { view.value(named: $0) }
    }

    /// None: an entry whose fields are needed with all of their values is gathered instead, see ``JournalEntry``.
    func further(_ slot: Int, _ index: Int) -> UnsafeRawBufferPointer? { nil }
}
