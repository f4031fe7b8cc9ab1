import Records

/// An entry as `journalctl -o verbose` prints it: time and cursor, and below them each field on a line.
struct VerboseFormat {
    private var clock: ClockText
    private var boots = BootLine()
    private let shown: ShownFields
    private let keepsControls: Bool

    init(_ style: JournalStyle, shown: ShownFields) {
        clock = ClockText(.full, microseconds: true, isUTC: style.isUTC)
        self.shown = shown
        keepsControls = style.isForTerminal
    }

    mutating func format(_ entry: EntryView, into output: inout OutputBuffer) {
        boots.separate(entry, into: &output)
        let source = entry.value(named: "_SOURCE_REALTIME_TIMESTAMP")
        clock.append(EntryTime.of(source: source, received: entry.header.realtime), to: &output)
        if !entry.cursor.isEmpty {
            output.append(" [")
            output.append(entry.cursor)
            output.append("]")
        }
        output.append("\n")
        for slot in entry.slots {
            let name = entry.name(of: slot)
            guard shown.contains(name) else { continue }
            output.append("    ")
            TerminalText.append(partOfLine: name, to: &output)
            output.append("=")
            PlainMessage.append(
                lines: entry.value(of: slot),
                indent: 4 + name.count + 1,
                keepsControls: keepsControls,
                to: &output
            )
        }
    }
}
