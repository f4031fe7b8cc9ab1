package import Records

/// A ``JournalFormat``, and the parts of an entry that are shown in it.
package struct JournalStyle: Sendable {
    package var format: JournalFormat
    /// Whether a terminal will show the text, which then holds nothing that could drive it.
    package var isForTerminal = false
    /// Whether the messages of lines have the colour of their severity (ECMA-48).
    package var hasColors = false
    /// Whether times are those of UTC and not of the local zone.
    package var isUTC = false
    /// Whether the host is left out of lines.
    package var hidesHost = false
    /// Whether the line between entries of different boots is left out, as for entries of several machines.
    package var hidesBoots = false
    /// Whether messages and values that are not plain text are shown as they are, and not as their size.
    package var showsAll = false
    /// The only fields that ``JournalFormat/verbose``, ``JournalFormat/export`` and the JSON formats show beside the
    /// cursor, the times and the boot, and all that ``JournalFormat/cat`` shows, in this order; `nil` for the
    /// format's own.
    package var fields: [String]?
    /// The mark for texts of the message catalogue, which the formats of lines and ``JournalFormat/verbose`` show
    /// below entries; `nil` where none are shown.
    package var explanations: CatalogMark?
    /// The reading aids of the formats for people: those of one line, ``JournalFormat/verbose`` and
    /// ``JournalFormat/cat``.
    package var aids = ReadingAids()

    package init(_ format: JournalFormat) {
        self.format = format
    }
}

/// The fields that are shown.
struct ShownFields {
    let names: [[UInt8]]?

    init(_ names: [String]?) {
        self.names = names?.map { Array($0.utf8) }
    }

    func contains(_ name: UnsafeRawBufferPointer) -> Bool { names?.contains { name.elementsEqual($0) } ?? true }
}
