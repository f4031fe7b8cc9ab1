/// Where an object stands in a file that was written.
package struct JournalFilePlace: Hashable, Sendable {
    package enum Kind: UInt8, CaseIterable, Sendable {
        case data = 1
        case field, entry, dataHashTable, fieldHashTable, entryArray, tag
    }

    package var kind: Kind
    /// Of its first byte in the file.
    package var offset: Int
    /// Without the bytes that fill up to the next multiple of eight.
    package var size: Int
}
