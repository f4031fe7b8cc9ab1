/// Writes entries in one ``JournalFormat``. It remembers the last time and boot it wrote, so it is used for one stream
/// of entries.
///
/// For a terminal it writes so that no entry can drive the terminal, see ``TerminalText``. Otherwise messages and
/// fields are given byte for byte.
package struct JournalFormatter {
    package let format: JournalFormat
    private let isForTerminal: Bool
    private var short: ShortFormat
    private let json = JSONFormat()

    package init(_ format: JournalFormat, forTerminal isForTerminal: Bool = false) {
        self.format = format
        self.isForTerminal = isForTerminal
        short = ShortFormat(keepsControls: isForTerminal)
    }

    package mutating func format(_ entry: JournalEntry, into output: inout OutputBuffer) {
        entry.storage.withView { write($0, into: &output) }
    }

    mutating func write(_ entry: EntryView, into output: inout OutputBuffer) {
        let start = output.count
        switch format {
        case .short: short.format(entry, into: &output)
        case .cat: CatFormat.format(entry, into: &output)
        case .json: json.format(entry, into: &output)
        }
        makeVisible(from: start, in: &output)
    }

    /// Writes the journal's current entry, if the format can do without a copy of it.
    func write(_ journal: MergedJournal, into output: inout OutputBuffer) -> Bool {
        let start = output.count
        switch format {
        case .cat: CatFormat.format(journal, into: &output)
        case .json: guard json.format(journal, into: &output) else { return false }
        case .short: return false
        }
        makeVisible(from: start, in: &output)
        return true
    }

    /// In JSON, too: its strings hold nothing else to be made visible than what is written `\u202e` there as here.
    private func makeVisible(from start: Int, in output: inout OutputBuffer) {
        if isForTerminal { TerminalText.makeVisible(from: start, in: &output) }
    }
}
