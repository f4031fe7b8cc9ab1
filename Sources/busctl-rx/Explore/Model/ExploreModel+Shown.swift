import RecordSources
import Records

/// The parts of the screen, and their places.
extension ExploreModel {
    /// A field of the record under the cursor.
    struct Detail {
        /// Empty for a line of the catalogue's text about the record.
        let name: String
        /// The value, or its beginning.
        var text = ""
        /// Whether that is all of it.
        var isWhole = true
    }

    var details: [Detail] {
        guard let current = list.current else { return [] }
        let explanation = explain(current).prefix(100).map { Detail(name: "", text: $0) }
        return explanation
            + current.content.withFields { fields in
                fields.prefix(1000).map { field in
                    var detail = Detail(name: String(decoding: field.name.prefix(300), as: UTF8.self))
                    field.value.withPlainBytes { value in
                        detail.text = String(decoding: value.prefix(Self.maxDetail), as: UTF8.self)
                        detail.isWhole = value.count <= Self.maxDetail
                    }
                    return detail
                }
            }
    }

    /// The equal command of tail.
    var command: String {
        var words = ["busctl-rx", "tail"] + sourceWords + (follows ? [] : ["--no-follow"])
        for (option, time) in [("-S", query.since), ("-U", query.until)] {
            guard let time else { continue }
            words += [option, "@" + Self.text(of: time, .unix, microseconds: true, isUTC: true)]
        }
        // Of what is followed, tail shows the last lines only.
        if follows, query.window == nil { words.append("--no-tail") }
        if !query.filter.allSatisfy(\.isWhitespace) {
            words += (query.filter.hasPrefix("-") ? ["--"] : []) + [query.filter]
        }
        return ShellText.command(words)
    }

    /// A time as text, in one of the forms of lines.
    static func text(of time: Int64, _ style: ClockText.Style, microseconds: Bool = false, isUTC: Bool) -> String {
        var clock = ClockText(style, microseconds: microseconds, isUTC: isUTC)
        var output = OutputBuffer(capacity: 32)
        clock.append(RecordTime(microseconds: time), to: &output)
        return output.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Places on the screen

    struct Layout: Equatable {
        var title = 0
        var filter = 1
        /// The line for errors and notices.
        var message = 2
        var timeline = 3..<3
        var axis = 3
        var list = 4..<4
        var details = 4..<4
        /// The columns of the facets.
        var facets: Range<Int>?
        var keys = 0
    }

    var layout: Layout {
        var layout = Layout()
        // A smaller screen is not drawn.
        let (rows, columns) = (max(rows, Self.minRows), max(columns, Self.minColumns))
        let height = rows < 20 ? 2 : rows < 40 ? 4 : 6
        layout.timeline = 3..<3 + height
        layout.axis = layout.timeline.upperBound
        layout.keys = rows - 1
        let first = layout.axis + 1
        let rowsBelow = max(1, layout.keys - first)
        let detailRows = showsDetails ? min(max(4, rowsBelow / 2), rowsBelow - 2) : 0
        layout.list = first..<max(first + 1, layout.keys - max(0, detailRows))
        layout.details = layout.list.upperBound..<layout.keys
        if showsFacets { layout.facets = max(20, columns - min(40, columns * 2 / 5))..<columns }
        return layout
    }

    /// The steps of the time line that are chosen.
    var chosenSteps: ClosedRange<Int> {
        let mark = timelineMark ?? timelineCursor
        return min(mark, timelineCursor)...max(mark, timelineCursor)
    }

    /// The record in the first row of the list.
    var firstRecord: Int { Self.first(list.cursor, of: list.records.count, in: layout.list.count) }

    /// The line in the first row of the facets.
    var firstFacet: Int { Self.first(facets.cursor, of: facets.lines.count, in: layout.list.count) }

    /// The first of the lines that are shown, so that the cursor is among them, and in the middle where it can be.
    static func first(_ cursor: Int, of count: Int, in height: Int) -> Int {
        max(0, min(cursor - height / 2, count - height))
    }
}
