/// The number of an entry in its journal, as its cursor has it: `s=SOURCE;i=NUMBER;…`.
package struct EntryNumber: Equatable {
    private let source: ID128
    private let number: UInt64

    package init?(cursor: String) {
        guard let point = SeekPoint(cursor: cursor), let source = point.sequenceID, let number = point.sequence else {
            return nil
        }
        self.source = source
        self.number = number
    }

    /// Whether it is certain that the entry comes before the other one. Numbers of different sources cannot be compared.
    package func isBefore(_ other: EntryNumber) -> Bool { source == other.source && number < other.number }
}
