import Records

/// How the counts of several groups went over the same time, in columns of as many spans each.
struct Course {
    static let title = "COURSE"

    /// When the columns begin, in microseconds since 1970.
    let begins: [Int64]
    let spansInColumn: Int
    /// The largest count of a column.
    let peak: Int

    private static let blocks = Array(" ▁▂▃▄▅▆▇█")
    private static let signs = Array(" .:-=+*%#")
    /// Further spans of a calendar are not drawn.
    private static let maxSpans = 1_000_000

    /// `nil` where there is no row.
    init?(of groups: [[RecordCounts.Row]], by grouping: RecordGrouping, maxColumns: Int) {
        let rows = groups.flatMap(\.self)
        guard let first = rows.map(\.key.time.microseconds).min(), let last = rows.map(\.key.time.microseconds).max()
        else { return nil }
        if let span = grouping.span {
            let (length, isBeyond) = last.subtractingReportingOverflow(first)
            let together = length / span / Int64(maxColumns) + 1
            let (column, isTooLong) = span.multipliedReportingOverflow(by: together)
            // Such times are in nobody's log.
            if isBeyond || isTooLong { return nil }
            begins = stride(from: first, through: last, by: Int(column)).map(\.self)
            spansInColumn = Int(together)
        } else {
            guard let all = Self.begins(of: rows, by: grouping, limit: Self.maxSpans) else { return nil }
            let together = (all.count + maxColumns - 1) / maxColumns
            begins = stride(from: 0, to: all.count, by: together).map { all[$0] }
            spansInColumn = together
        }
        var peak = 0
        for rows in groups { peak = max(peak, Self.counts(rows, begins).max() ?? 0) }
        self.peak = peak
    }

    /// The begins of all spans from the first row's to the last one's; `nil` where they are more than the limit.
    static func begins(of rows: [RecordCounts.Row], by grouping: RecordGrouping, limit: Int) -> [Int64]? {
        guard var next = rows.map(\.key.time.microseconds).min(), let last = rows.map(\.key.time.microseconds).max()
        else { return [] }
        if let span = grouping.span {
            let (length, isBeyond) = last.subtractingReportingOverflow(next)
            if isBeyond || length / span >= limit { return nil }
        }
        var begins: [Int64] = []
        while next <= last {
            guard begins.count < limit else { return nil }
            begins.append(next)
            next = grouping.span(of: next).upperBound
        }
        return begins
    }

    private static func counts(_ rows: [RecordCounts.Row], _ begins: [Int64]) -> [Int] {
        var counts = Array(repeating: 0, count: begins.count)
        var column = 0
        for row in rows.sorted(by: { $0.key.time < $1.key.time }) {
            while column + 1 < begins.count, begins[column + 1] <= row.key.time.microseconds { column += 1 }
            counts[column] += row.count
        }
        return counts
    }

    /// One character a column. The lowest that is not empty stands for any count that is not zero.
    func drawing(of rows: [RecordCounts.Row], hasBlocks: Bool) -> String {
        let characters = hasBlocks ? Self.blocks : Self.signs
        let drawing = Self.counts(rows, begins).map { count in
            let level = Double(count) / Double(max(peak, 1)) * Double(characters.count - 1)
            return characters[count == 0 ? 0 : max(1, Int(level.rounded()))]
        }
        return String(drawing).padding(to: Self.title.count)
    }
}
