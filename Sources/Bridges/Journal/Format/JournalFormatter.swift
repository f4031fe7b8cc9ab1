/// Writes entries in one ``JournalFormat``. It remembers the last time and boot it wrote, so it is used for one stream
/// of entries.
package struct JournalFormatter {
    package let format: JournalFormat
    private var short = ShortFormat()
    private let json = JSONFormat()

    package init(_ format: JournalFormat) {
        self.format = format
    }

    package mutating func format(_ entry: JournalEntry, into output: inout OutputBuffer) {
        entry.storage.withView { write($0, into: &output) }
    }

    mutating func write(_ entry: EntryView, into output: inout OutputBuffer) {
        switch format {
        case .short: short.format(entry, into: &output)
        case .cat: CatFormat.format(entry, into: &output)
        case .json: json.format(entry, into: &output)
        }
    }

    /// Writes the entry that libsystemd stands on, if the format can do without a copy of it.
    func write(_ journal: JournalHandle, into output: inout OutputBuffer) -> Bool {
        format == .json && json.format(journal, into: &output)
    }
}
