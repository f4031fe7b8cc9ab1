import JournalBridge

/// The table of `--list-boots`.
enum BootList {
    static func text(_ boots: [JournalBoot], isUTC: Bool) -> String {
        let first = boots.map { JournalTime.text($0.first, isUTC: isUTC) }
        let last = boots.map { JournalTime.text($0.last, isUTC: isUTC) }
        let columns = [
            ["IDX"] + boots.indices.map { "\($0 - boots.count + 1)" }, ["BOOT ID"] + boots.map(\.id),
            ["FIRST ENTRY"] + first, ["LAST ENTRY"] + last,
        ]
        let widths = columns.map { $0.map(\.utf8.count).max() ?? 0 }
        return (0...boots.count).map { row in
            let cells = columns.indices.map { column -> String in
                let cell = columns[column][row]
                let space = String(repeating: " ", count: widths[column] - cell.utf8.count)
                return column == 0 ? space + cell : column == 3 ? cell : cell + space
            }
            return cells.joined(separator: " ") + "\n"
        }.joined()
    }
}
