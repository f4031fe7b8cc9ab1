import RecordSources
import Records
import Timers

/// Writes counts out.
struct CountText: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case table, json, csv
    }

    let format: Format
    let grouping: RecordGrouping
    let isUTC: Bool
    let isForTerminal: Bool
    /// Whether bars are drawn with the block characters of Unicode.
    let hasBlocks: Bool
    /// How many columns there are for a table.
    var width: Int
    /// How many rows of a table are shown; the rest is summed up.
    var top: Int?
    /// Whether lines of JSON have a header and a trailer, and gaps among them.
    let isFramed: Bool

    private var fields: [String] { grouping.fields.map(\.text) }

    /// The same for a terminal: as wide as that is, and with so few rows that the lines above and below them are seen.
    func fitted(to size: RedrawnText.Size) -> CountText {
        var text = self
        text.width = size.columns
        text.top = min(top ?? .max, max(1, size.lines - 3))
        return text
    }

    /// All rows, with the lines above and below them.
    ///
    /// - Parameters:
    ///   - gaps: what is missing. Where only standard error can say so, they have been reported.
    ///   - failures: machines that are missing.
    func text(of table: RecordCounts, gaps: [(source: String, message: String)] = [], failures: [SourceError] = [])
        -> String
    {
        let missing = failures.map { (source: $0.source, message: $0.reason) }
        return switch format {
        case .table: self.table(table)
        case .csv: header + lines(table.rows)
        case .json where isFramed: jsonLines.framed(table, gaps: gaps + missing)
        case .json: lines(table.rows) + missing.map { CountLines.gap($0.message, in: $0.source) }.joined()
        }
    }

    private var jsonLines: CountLines { CountLines(fields: fields, hasSpans: grouping.hasSpans) }

    /// The line above rows of CSV.
    var header: String {
        format == .csv
            ? ((grouping.hasSpans ? ["time"] : []) + fields + ["count"]).map(Self.quoted).joined(separator: ",") + "\n"
            : ""
    }

    /// Rows of JSON or CSV.
    func lines(_ rows: [RecordCounts.Row]) -> String {
        rows.map { format == .json ? jsonLines.row($0) : csv($0) }.joined()
    }

    private func csv(_ row: RecordCounts.Row) -> String {
        // A file has the values as they are.
        let fields = row.key.values.map { value in value.map { isForTerminal ? visible($0) : $0 } ?? "" }
        let values = (grouping.hasSpans ? [row.key.time.description] : []) + fields
        return (values.map(Self.quoted) + ["\(row.count)"]).joined(separator: ",") + "\n"
    }

    /// A value in CSV (RFC 4180).
    private static func quoted(_ value: String) -> String {
        guard value.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return value }
        return "\"" + value.replacing("\"", with: "\"\"") + "\""
    }

    // MARK: Tables

    private func table(_ table: RecordCounts) -> String {
        if fields.isEmpty { return grouping.hasSpans ? histogram(table.rows) : "\(table.total)\n" }
        let groups = table.withoutSpans.rows
        let shown = groups.prefix(top ?? groups.count)
        // Records of combinations beyond the table's limit have no row.
        let rest = table.total - shown.reduce(0) { $0 + $1.count }
        let countWidth = max(5, "\(max(shown.first?.count ?? 0, rest))".count)
        func line(_ count: String, _ share: String, _ course: String?, _ values: [String]) -> String {
            ([padded(count, countWidth), padded(share, 6), course].compactMap { $0 } + values).joined(separator: "  ")
                .trimmedEnd
                + "\n"
        }
        func share(_ count: Int) -> String {
            let tenths = Int((Double(count) / Double(max(table.total, 1)) * 1000).rounded())
            return "\(tenths / 10).\(tenths % 10)%"
        }
        let maxColumns = max(Course.title.count, min(width / 2, width - countWidth - 32))
        let rows = grouping.hasSpans ? Dictionary(grouping: table.rows, by: \.key.values) : [:]
        let courses = shown.map { rows[$0.key.values] ?? [] }
        let hidden = groups.dropFirst(shown.count).flatMap { rows[$0.key.values] ?? [] }
        let course =
            grouping.hasSpans ? Course(of: courses + [hidden], by: grouping, maxColumns: maxColumns) : nil
        func drawing(_ rows: [RecordCounts.Row]) -> String? { course?.drawing(of: rows, hasBlocks: hasBlocks) }
        var text = line(
            "COUNT",
            "SHARE",
            course.map { Course.title.padding(to: $0.begins.count) },
            fields.map { visible($0.uppercased()) }
        )
        for (row, course) in zip(shown, courses) {
            let values = row.key.values.map { $0.map(visible) ?? "-" }
            text += line("\(row.count)", share(row.count), drawing(course), values)
        }
        if rest > 0 { text += line("\(rest)", share(rest), drawing(hidden), ["(others)"]) }
        guard let course, let begin = course.begins.first else { return text }
        return text + "Each column is \(length(of: course)), from \(time(begin)) on; a full one is \(course.peak).\n"
    }

    private func length(of course: Course) -> String {
        if let span = grouping.span { return TimeGapLine.text(UInt64(span) * UInt64(course.spansInColumn)) }
        let calendar = visible(grouping.calendar?.description ?? "")
        return course.spansInColumn == 1
            ? "from a time of \(calendar) to the next" : "\(course.spansInColumn) times of \(calendar)"
    }

    private func histogram(_ rows: [RecordCounts.Row]) -> String {
        let counts = Dictionary(rows.map { ($0.key.time.microseconds, $0.count) }) { $0 + $1 }
        // Empty spans are shown, too, unless there are very many.
        let times = Course.begins(of: rows, by: grouping, limit: 10_000) ?? rows.map(\.key.time.microseconds)
        let peak = counts.values.max() ?? 1
        let countWidth = "\(peak)".count
        let barWidth = max(10, width - time(0).count - countWidth - 4)
        return times.map { time in
            let count = counts[time] ?? 0
            return "\(self.time(time))  \(padded("\(count)", countWidth))  \(bar(count, peak, barWidth))".trimmedEnd
                + "\n"
        }.joined()
    }

    /// Eighths of a column where there are blocks; whole ones elsewhere.
    private func bar(_ count: Int, _ peak: Int, _ barWidth: Int) -> String {
        let eighths = Int((Double(count) / Double(peak) * Double(barWidth * 8)).rounded())
        guard hasBlocks else { return String(repeating: "#", count: (eighths + 7) / 8) }
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }

    /// `2026-11-23T21:00:00+01:00`
    private func time(_ microseconds: Int64) -> String {
        var output = OutputBuffer(capacity: 64)
        let isFine = grouping.span.map { $0 % 1_000_000 != 0 } ?? false
        var clock = ClockText(.iso, microseconds: isFine, isUTC: isUTC)
        clock.append(RecordTime(microseconds: microseconds), to: &output)
        return output.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// In one line, and so that no value drives a terminal.
    private func visible(_ value: String) -> String { OneLine.of(value) }
}

extension String {
    func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
