/// Counts as lines of JSON: a header with the version, a line for each group, one for each gap, and a trailer with the totals, without
/// which a part would look like the whole.
///
/// ```
/// {"counts":1}
/// {"time":"2026-11-23T21:00:00.000000Z","unit":"nginx.service","count":3}
/// {"time":"2026-11-23T21:00:00.000000Z","unit":null,"count":1}
/// {"source":"journal","gap":true,"message":"journal file … is damaged"}
/// {"total":4,"others":0}
/// ```
///
/// The last member tells the lines apart, so that a field may have any name.
package struct CountLines: Sendable {
    /// Raised with each change of these lines, and of what a filter selects, a field is or a pattern masks: counts that differ in
    /// those cannot be added.
    package static let version = 1
    /// How many gaps are written.
    static let maxGaps = 1000

    private let fields: [String]
    private let hasSpans: Bool

    package init(fields: [String], hasSpans: Bool) {
        self.fields = fields
        self.hasSpans = hasSpans
    }

    package static var header: String { line([("counts", .int(Int64(version)))]) }

    /// A group.
    package func row(_ row: RecordCounts.Row) -> String {
        var list: [(String, RecordFields.Value)] = []
        if hasSpans { list.append(("time", .text(row.key.time.description))) }
        for (field, value) in zip(fields, row.key.values) { list.append((field, value.map { .text($0) } ?? .null)) }
        list.append(("count", .int(Int64(row.count))))
        return Self.line(list)
    }

    /// Records may be missing.
    package static func gap(_ message: String, in source: String) -> String {
        line([("source", .text(source)), ("gap", .bool(true)), ("message", .text(message))])
    }

    /// All lines of counts and of the gaps in them.
    package func framed(_ counts: RecordCounts, gaps: [(source: String, message: String)]) -> String {
        var text = Self.header
        for group in counts.rows { text += row(group) }
        for gap in gaps.prefix(Self.maxGaps - 1) { text += Self.gap(gap.message, in: gap.source) }
        let rest = gaps.dropFirst(Self.maxGaps - 1)
        if let last = rest.last {
            text += Self.gap("\(rest.count) further gaps, the last one: \(last.message)", in: last.source)
        }
        return text + Self.line([("total", .int(Int64(counts.total))), ("others", .int(Int64(counts.others)))])
    }

    private static func line(_ list: [(name: String, value: RecordFields.Value)]) -> String {
        JSONLine.text(of: RecordFields(list: list)) + "\n"
    }
}
