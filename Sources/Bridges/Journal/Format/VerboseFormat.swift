import Records

/// An entry as `journalctl -o verbose` prints it: time and cursor, and below them each field on a line. With marks,
/// characters that control a terminal are made visible here.
struct VerboseFormat {
    private var clock: ClockText
    private var boots: BootLine
    private let shown: ShownFields
    private let isForTerminal: Bool
    private let keepsAll: Bool
    private let aids: ReadingAids
    private let hasMarks: Bool
    private var timeGaps: TimeGapLine?

    init(_ style: JournalStyle, shown: ShownFields) {
        clock = ClockText(.full, microseconds: true, isUTC: style.isUTC)
        self.shown = shown
        boots = BootLine(style)
        isForTerminal = style.isForTerminal
        keepsAll = style.showsAll
        aids = style.aids
        hasMarks = aids.hasMarks
        timeGaps = TimeGapLine(aids.timeGap)
    }

    mutating func format(_ entry: EntryView, into output: inout OutputBuffer) {
        boots.separate(entry, into: &output)
        let source = entry.value(named: "_SOURCE_REALTIME_TIMESTAMP")
        let time = EntryTime.of(source: source, received: entry.header.realtime)
        timeGaps?.separate(Int64(clamping: time), into: &output)
        let start = output.count
        clock.append(time, to: &output)
        if !entry.cursor.isEmpty {
            output.append(" [")
            output.append(entry.cursor)
            output.append("]")
        }
        output.append("\n")
        if hasMarks, isForTerminal { TerminalText.makeVisible(from: start, in: &output) }
        for slot in entry.slots {
            let name = entry.name(of: slot)
            guard shown.contains(name) else { continue }
            output.append("    ")
            TerminalText.append(partOfLine: name, to: &output)
            output.append("=")
            value(entry.value(of: slot), of: name, into: &output)
        }
    }

    private func value(
        _ value: UnsafeRawBufferPointer,
        of name: UnsafeRawBufferPointer,
        into output: inout OutputBuffer
    ) {
        let indent = 4 + name.count + 1
        guard hasMarks, !keepsAll || PlainMessage.isText(value) else {
            return PlainMessage.append(
                lines: value,
                indent: indent,
                keepsControls: isForTerminal,
                keepsAll: keepsAll,
                to: &output
            )
        }
        aids.append(
            lines: value,
            isMessage: name.elementsEqual("MESSAGE".utf8),
            indent: indent,
            keepsControls: isForTerminal,
            isForTerminal: isForTerminal,
            to: &output
        )
    }
}
