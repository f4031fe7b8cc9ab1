import Records

/// How the counts of several groups went over the same time, in columns of equal length.
struct Course {
    static let title = "COURSE"

    /// When the first column begins, in microseconds since 1970.
    let begin: Int64
    /// How long a column is, in microseconds: a whole number of spans.
    let length: Int64
    let columns: Int
    /// The largest count of a column.
    let peak: Int

    private static let blocks = Array(" ▁▂▃▄▅▆▇█")
    private static let signs = Array(" .:-=+*%#")

    /// `nil` where there is no row.
    init?(of groups: [[RecordCounts.Row]], span: Int64, maxColumns: Int) {
        let times = groups.lazy.joined().map(\.key.time)
        guard let first = times.min(), let last = times.max() else { return nil }
        let spans = (last - first) / span + 1
        let together = (spans + Int64(maxColumns) - 1) / Int64(maxColumns)
        begin = first
        length = span * together
        columns = Int((spans + together - 1) / together)
        var peak = 0
        for rows in groups { peak = max(peak, Self.counts(rows, first, span * together, columns).max() ?? 0) }
        self.peak = peak
    }

    private static func counts(_ rows: [RecordCounts.Row], _ begin: Int64, _ length: Int64, _ columns: Int) -> [Int] {
        var counts = Array(repeating: 0, count: columns)
        for row in rows { counts[Int((row.key.time - begin) / length)] += row.count }
        return counts
    }

    /// One character a column. The lowest that is not empty stands for any count that is not zero.
    func drawing(of rows: [RecordCounts.Row], hasBlocks: Bool) -> String {
        let characters = hasBlocks ? Self.blocks : Self.signs
        let drawing = Self.counts(rows, begin, length, columns).map { count in
            let level = Double(count) / Double(max(peak, 1)) * Double(characters.count - 1)
            return characters[count == 0 ? 0 : max(1, Int(level.rounded()))]
        }
        return String(drawing).padding(to: Self.title.count)
    }
}
