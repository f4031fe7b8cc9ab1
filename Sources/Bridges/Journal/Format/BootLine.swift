import Records

/// A line between entries of different boots.
struct BootLine {
    private let isHidden: Bool
    private var last: [UInt8] = []

    init(_ style: JournalStyle) {
        isHidden = style.hidesBoots
    }

    mutating func separate(_ entry: EntryView, into output: inout OutputBuffer) {
        if isHidden { return }
        let id = entry.bootID
        guard !id.elementsEqual(last) else { return }
        if !last.isEmpty, !id.isEmpty {
            output.append("-- Boot ")
            TerminalText.append(partOfLine: id, to: &output)
            output.append(" --\n")
        }
        last = Array(id)
    }
}
