/// The place of an object in a written file.
package struct JournalFilePlace: Hashable, Sendable {
    package enum Kind: UInt8, CaseIterable, Sendable {
        case data = 1
        case field, entry, dataHashTable, fieldHashTable, entryArray, tag
    }

    package var kind: Kind
    /// The offset of its first byte in the file.
    package var offset: Int
    /// The size without the padding to the next multiple of eight.
    package var size: Int
}
