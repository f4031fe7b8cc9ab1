/// How to read the value of a filter's field from an entry.
///
/// A slot is the place of a journal field's value among those gathered; see ``FieldGatherer``.
enum FieldReading: Sendable, Hashable {
    case text(slot: Int)
    /// A number in plain decimal notation, within the range if there is one; text otherwise.
    case int(slot: Int, range: ClosedRange<Int64>?)
    /// The units that the entry is about.
    case unit(UnitSlots)
    /// The entry's ``EntryTime``.
    case time(source: Int)
    case realtime
    case monotonic
    case cursor
}
