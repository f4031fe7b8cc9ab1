/// The number of an entry in its journal, as its cursor has it: `s=SOURCE;i=NUMBER;…`. It does not depend on clocks.
package struct EntryNumber: Equatable {
    private let source: ID128
    private let number: UInt64

    init(_ source: ID128, _ number: UInt64) {
        self.source = source
        self.number = number
    }

    /// A number of records that have one source.
    package init(_ number: UInt64) { self.init(ID128(), number) }

    package init?(cursor: String) {
        guard let point = SeekPoint(cursor: cursor), let source = point.sequenceID, let number = point.sequence else {
            return nil
        }
        self.init(source, number)
    }

    /// Whether it is certain that the entry comes before the other one. Numbers of different sources cannot be compared.
    package func isBefore(_ other: EntryNumber) -> Bool { source == other.source && number < other.number }
}
