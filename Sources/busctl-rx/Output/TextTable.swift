/// A table of text, a line for each row.
struct TextTable {
    struct Column {
        let title: String
        var isNumber = false
    }

    private let columns: [Column]
    private let gap: String
    private var rows: [[String]] = []

    init(_ columns: [Column], gap: String = "  ") {
        self.columns = columns
        self.gap = gap
    }

    /// - Parameter row: a text for each column; shown in one line, and so that none drives the terminal.
    mutating func add(_ row: [String]) { rows.append(row.map { OneLine.of($0) }) }

    var isEmpty: Bool { rows.isEmpty }

    /// The lines, with the titles above them.
    var text: String {
        let all = [columns.map(\.title)] + rows
        let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            var line = ""
            for (column, text) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - text.count)
                line += columns[column].isNumber ? padding + text : text + padding
                line += gap
            }
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }
}
