import Records

/// Writes counts out.
struct CountText: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case table, json, csv
    }

    let format: Format
    let fields: [String]
    let span: Int64?
    let isUTC: Bool
    let isForTerminal: Bool
    /// How many columns there are for a table.
    let width: Int
    /// How many rows of a table are shown, with spans for each of them; the rest is summed up.
    let top: Int?

    /// All rows, with the lines above and below them.
    func text(of table: RecordCounts) -> String {
        switch format {
        case .table: self.table(table)
        case .csv: header + lines(table.rows)
        case .json: lines(table.rows)
        }
    }

    /// The line above rows of CSV.
    var header: String {
        format == .csv
            ? ((span == nil ? [] : ["time"]) + fields + ["count"]).map(Self.quoted).joined(separator: ",") + "\n" : ""
    }

    /// Only rows.
    func lines(_ rows: [RecordCounts.Row]) -> String {
        rows.map { row in
            switch format {
            case .json: json(row)
            case .csv:
                csv((span == nil ? [] : [RecordTime.text(row.key.time)]) + row.key.values.map { $0 ?? "" }, row.count)
            case .table: line(row, countWidth: 8)
            }
        }.joined()
    }

    private func csv(_ values: [String], _ count: Int) -> String {
        (values.map(Self.quoted) + ["\(count)"]).joined(separator: ",") + "\n"
    }

    /// A value in CSV (RFC 4180).
    private static func quoted(_ value: String) -> String {
        guard value.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return value }
        return "\"" + value.replacing("\"", with: "\"\"") + "\""
    }

    private func json(_ row: RecordCounts.Row) -> String {
        var list: [(name: String, value: RecordFields.Value)] = []
        if span != nil { list.append(("time", .text(RecordTime.text(row.key.time)))) }
        for (field, value) in zip(fields, row.key.values) { list.append((field, value.map { .text($0) } ?? .null)) }
        list.append(("count", .int(Int64(row.count))))
        return JSONLine.text(of: RecordFields(list: list)) + "\n"
    }

    // MARK: Tables

    private func table(_ table: RecordCounts) -> String {
        let rows = table.rows
        if span != nil, fields.isEmpty { return histogram(rows) }
        if fields.isEmpty { return "\(table.total)\n" }
        let spans = spans(of: rows)
        // Records of combinations beyond the table's limit are in no span.
        let rest = table.total - spans.reduce(0) { $0 + $1.rest + $1.shown.reduce(0) { $0 + $1.count } }
        let widest = spans.flatMap { $0.shown.map(\.count) + [$0.rest] }.max() ?? 0
        let width = max(5, "\(max(widest, rest))".count)
        var text = padded("COUNT", width)
        if span != nil { text += "  " + "TIME".padding(to: timeWidth) }
        text += "  " + fields.map { $0.uppercased() }.joined(separator: "  ") + "\n"
        for (time, shown, rest) in spans {
            text += shown.map { line($0, countWidth: width) }.joined()
            guard rest > 0 else { continue }
            text +=
                [padded("\(rest)", width), span == nil ? nil : self.time(time), "(others)"].compactMap { $0 }
                .joined(separator: "  ") + "\n"
        }
        if rest > 0 { text += padded("\(rest)", width) + "  (others)\n" }
        return text
    }

    /// The rows that are shown of each span, or of all time without spans, and how many records the others have.
    private func spans(of rows: [RecordCounts.Row]) -> [(time: Int64, shown: ArraySlice<RecordCounts.Row>, rest: Int)] {
        var rest = rows[...]
        var spans: [(time: Int64, shown: ArraySlice<RecordCounts.Row>, rest: Int)] = []
        while let first = rest.first {
            let same = rest.prefix { $0.key.time == first.key.time }
            let shown = same.prefix(top ?? same.count)
            spans.append((first.key.time, shown, same.dropFirst(shown.count).reduce(0) { $0 + $1.count }))
            rest = rest.dropFirst(same.count)
        }
        return spans
    }

    private var timeWidth: Int { time(0).count }

    private func line(_ row: RecordCounts.Row, countWidth: Int) -> String {
        var parts = [padded("\(row.count)", countWidth)]
        if span != nil { parts.append(time(row.key.time)) }
        parts += row.key.values.map { value in value.map(visible) ?? "-" }
        return parts.joined(separator: "  ") + "\n"
    }

    private func histogram(_ rows: [RecordCounts.Row]) -> String {
        guard let span, let first = rows.first, let last = rows.last else { return "" }
        let counts = Dictionary(rows.map { ($0.key.time, $0.count) }) { $0 + $1 }
        // Empty spans are shown, too, unless there are very many.
        let number = (last.key.time - first.key.time) / span + 1
        let times = number <= 10_000 ? (0..<number).map { first.key.time + $0 * span } : rows.map(\.key.time)
        let peak = counts.values.max() ?? 1
        let countWidth = "\(peak)".count
        let barWidth = max(10, width - timeWidth - countWidth - 4)
        return times.map { time in
            let count = counts[time] ?? 0
            return "\(self.time(time))  \(padded("\(count)", countWidth))  \(bar(count, peak, barWidth))".trimmedEnd
                + "\n"
        }.joined()
    }

    /// Eighths of a column on a terminal; whole ones elsewhere.
    private func bar(_ count: Int, _ peak: Int, _ barWidth: Int) -> String {
        let eighths = Int((Double(count) / Double(peak) * Double(barWidth * 8)).rounded())
        guard isForTerminal else { return String(repeating: "#", count: (eighths + 7) / 8) }
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }

    /// `2026-11-23T21:00:00+01:00`
    private func time(_ microseconds: Int64) -> String {
        var output = OutputBuffer(capacity: 64)
        let isFine = span.map { $0 % 1_000_000 != 0 } ?? false
        var clock = ClockText(.iso, microseconds: isFine, isUTC: isUTC)
        clock.append(UInt64(clamping: microseconds), to: &output)
        return output.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// In one line, and so that no value drives a terminal.
    private func visible(_ value: String) -> String { OneLine.of(value) }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
