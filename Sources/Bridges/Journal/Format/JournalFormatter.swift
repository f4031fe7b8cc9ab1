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

    /// Whether writing an entry takes long enough, and depends on that entry alone, so that it pays to do it on several threads.
    var canBeShared: Bool { format == .json }

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

    /// Writes the entry, by way of `scratch` where the format cannot do without a copy of it. Answers how many of its fields
    /// could not be read.
    mutating func write(_ entry: FileEntry, by scratch: EntryScratch, into output: inout OutputBuffer) -> Int {
        let start = output.count
        let written: Int? =
            switch format {
            case .cat: CatFormat.format(entry, into: &output)
            case .json: json.format(entry, into: &output)
            case .short: nil
            }
        if let written {
            makeVisible(from: start, in: &output)
            return written
        }
        let unreadable = entry.read(into: scratch)
        write(scratch.view, into: &output)
        return unreadable
    }

    /// In JSON, too: its strings hold nothing else to be made visible than what is written `\u202e` there as here.
    private func makeVisible(from start: Int, in output: inout OutputBuffer) {
        if isForTerminal { TerminalText.makeVisible(from: start, in: &output) }
    }
}
