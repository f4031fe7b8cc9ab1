package import Records

/// Writes entries in one ``JournalFormat``. It remembers the last time and boot it wrote, so it is used for one stream
/// of entries.
///
/// For a terminal it writes so that no entry can control the terminal, see ``TerminalText``. Otherwise messages and
/// fields are given byte for byte.
package struct JournalFormatter {
    private let style: JournalStyle
    private let shown: ShownFields
    private var short: ShortFormat
    private var verbose: VerboseFormat
    private var aidedCat: AidedCatFormat?
    private let json: JSONFormat
    private let explanations: CatalogFormat?

    package init(_ style: JournalStyle) {
        self.style = style
        shown = ShownFields(style.fields)
        short = ShortFormat(style)
        verbose = VerboseFormat(style, shown: shown)
        aidedCat = AidedCatFormat(style)
        json = JSONFormat(shown: shown)
        explanations = CatalogFormat(style)
    }

    package init(_ format: JournalFormat, forTerminal isForTerminal: Bool = false) {
        var style = JournalStyle(format)
        style.isForTerminal = isForTerminal
        self.init(style)
    }

    /// Whether writing an entry takes long enough, and depends only on that entry, so that it pays to do it on
    /// several threads.
    var canBeShared: Bool {
        switch style.format {
        case .json, .jsonPretty, .jsonSequence, .jsonEvents, .export: true
        default: false
        }
    }

    package mutating func format(_ entry: JournalEntry, into output: inout OutputBuffer) {
        entry.storage.withView { write($0, into: &output) }
    }

    mutating func write(_ entry: EntryView, into output: inout OutputBuffer) {
        let start = output.count
        switch style.format {
        case .cat where aidedCat != nil:
            aidedCat?.format(entry, into: &output)
            return
        case .cat:
            if let fields = shown.names {
                CatFormat.format(entry, fields: fields, into: &output)
            } else {
                CatFormat.format(entry, into: &output)
            }
        case .verbose:
            verbose.format(entry, into: &output)
            if style.aids.hasMarks { return }
        case .export: ExportFormat(shown: shown).format(entry, into: &output)
        case .json: json.format(entry, into: &output)
        case .jsonPretty:
            json.format(entry, into: &output)
            PrettyJSON.layOut(from: start, in: &output)
        case .jsonSequence:
            output.append("\u{1E}")
            json.format(entry, into: &output)
        case .jsonEvents:
            output.append("data: ")
            json.format(entry, into: &output)
            output.append("\n")
        default:
            // Its output is visible already, and its colours must work.
            if short.format(entry, into: &output) { explanations?.append(entry, to: &output) }
            return
        }
        makeVisible(from: start, in: &output)
        if style.format == .verbose { explanations?.append(entry, to: &output) }
    }

    /// Writes the entry, by way of `scratch` where the format cannot do without a copy of it. Answers how many of its fields
    /// could not be read.
    mutating func write(_ entry: FileEntry, by scratch: EntryScratch, into output: inout OutputBuffer) -> Int {
        let start = output.count
        let written: Int? =
            switch style.format {
            case .cat where shown.names == nil && aidedCat == nil: CatFormat.format(entry, into: &output)
            case .json: json.format(entry, into: &output)
            default: nil
            }
        if let written {
            makeVisible(from: start, in: &output)
            return written
        }
        let unreadable = entry.read(into: scratch)
        write(scratch.view, into: &output)
        return unreadable
    }

    /// In JSON, too: the only characters of its strings to make visible are those written `\u202e` both there and
    /// here.
    private func makeVisible(from start: Int, in output: inout OutputBuffer) {
        if style.isForTerminal { TerminalText.makeVisible(from: start, in: &output) }
    }
}
