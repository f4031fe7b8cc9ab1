import Filter
import JournalBridge
import Records
import Terminal

/// Draws what `explore` shows.
struct ExploreView {
    let model: ExploreModel
    /// Whether bars are drawn with the block characters of Unicode.
    let hasBlocks: Bool
    let isUTC: Bool
    private var canvas: Canvas

    /// No screen has more columns, in bytes.
    private static let maxMessage = 4096
    private static let title = Style(isBold: true)
    private static let quiet = Style(color: .gray)

    /// - Returns: what the screen shows.
    static func canvas(of model: ExploreModel, hasBlocks: Bool, isUTC: Bool) -> Canvas {
        var view = ExploreView(model: model, hasBlocks: hasBlocks, isUTC: isUTC)
        view.draw()
        return view.canvas
    }

    private init(model: ExploreModel, hasBlocks: Bool, isUTC: Bool) {
        self.model = model
        self.hasBlocks = hasBlocks
        self.isUTC = isUTC
        canvas = Canvas(columns: model.columns, rows: model.rows)
    }

    private mutating func draw() {
        if model.isTooSmall {
            let lines = [
                "\(ExploreModel.minColumns)x\(ExploreModel.minRows) is needed.",
                "This is \(model.columns)x\(model.rows).",
                "q ends.",
            ]
            for (row, line) in lines.prefix(model.rows).enumerated() { canvas.write(line, row: row, column: 0) }
            return
        }
        if model.showsHelp { return help() }
        let layout = model.layout
        drawTitle(layout)
        drawTimeline(layout)
        drawFilter(layout)
        drawList(layout)
        if layout.facets != nil { drawFacets(layout) }
        if !layout.details.isEmpty { drawDetails(layout) }
        drawKeys(layout)
    }

    // MARK: The lines at the top

    private mutating func drawTitle(_ layout: ExploreModel.Layout) {
        var parts: [String] = []
        if model.progress == .failed {
            parts.append("not counted")
        } else if let counts = model.counts, model.countedQuery == model.query {
            let total = Self.grouped(counts.total) + (counts.total == 1 ? " record" : " records")
            parts.append(model.progress != .partial ? total : "\(total) so far, \(Int(counts.share * 100)) %")
            if counts.gaps > 0 { parts.append("\(counts.gaps == 1 ? "1 gap" : "\(counts.gaps) gaps")") }
        } else {
            parts.append("counting")
        }
        if model.follows { parts.append(model.news > 0 ? "\(Self.grouped(model.news)) new" : "following") }
        switch (model.query.since.map(time), model.query.until.map(time)) {
        case (let since?, let until?): parts.append("\(since) to \(until)")
        case (let since?, nil): parts.append("from \(since)")
        case (nil, let until?): parts.append("until \(until)")
        case (nil, nil): break
        }
        if let bound = model.bound() { parts.append(bound) }
        parts.append(model.title)
        canvas.write(parts.joined(separator: " · "), row: layout.title, column: 0, style: Self.title)
    }

    private mutating func drawFilter(_ layout: ExploreModel.Layout) {
        let isTyped = model.focus == .filter
        let label = "Filter: "
        canvas.write(label, row: layout.filter, column: 0, style: isTyped ? Self.title : Self.quiet)
        let skipped = draw(model.typed, row: layout.filter, column: label.count, hasCursor: isTyped)
        if case .prompt(let prompt) = model.focus {
            let column = canvas.write(prompt.text, row: layout.message, column: 0, style: Self.title)
            draw(model.answer, row: layout.message, column: column, hasCursor: true)
        } else if let error = model.error {
            // In columns of the text, which are those of the screen unless it is wide.
            let column = label.count + max(0, error.column - 1 - skipped)
            if column < model.columns {
                canvas.paint(
                    row: layout.filter,
                    columns: column..<column + 1,
                    style: Style(color: .red, isReversed: true)
                )
            }
            canvas.write(error.message, row: layout.message, column: 0, style: Style(color: .red))
        } else if let notice = model.notice {
            draw(notice, layout, color: .cyan)
        } else if let failure = model.failure {
            draw(failure + " ('r' asks again)", layout, color: .red)
        }
    }

    /// - Returns: how many characters are left out at the beginning of a long text, so that the cursor is seen.
    @discardableResult
    private mutating func draw(_ field: TextField, row: Int, column: Int, hasCursor: Bool) -> Int {
        let skipped = hasCursor ? max(0, field.cursor - max(1, model.columns - column - 1)) : 0
        let end = canvas.write(String(field.characters[skipped..<max(skipped, field.cursor)]), row: row, column: column)
        canvas.write(String(field.characters[max(skipped, field.cursor)...]), row: row, column: end)
        if hasCursor { canvas.cursor = Place(row: row, column: min(end, model.columns - 1)) }
        return skipped
    }

    /// A long notice, such as a command, goes on over the time line.
    private mutating func draw(_ notice: String, _ layout: ExploreModel.Layout, color: Style.Color) {
        var rest = notice[...]
        for row in layout.message..<layout.axis where !rest.isEmpty {
            let line = rest.prefix(DisplayWidth.count(in: rest, within: model.columns))
            rest = rest[line.endIndex...]
            let isCut = row == layout.axis - 1 && !rest.isEmpty
            let text = isCut ? line.dropLast() + "…" : line
            canvas.write(String(text), row: row, column: 0, style: Style(color: color))
        }
    }

    // MARK: The time line

    private mutating func drawTimeline(_ layout: ExploreModel.Layout) {
        guard let timeline = model.timeline else { return }
        let highest = max(1, model.steps.map(\.total).max() ?? 0)
        let height = layout.timeline.count
        let isFocused = model.focus == .timeline
        for column in 0..<min(timeline.columns, model.columns - 2) {
            let step = model.steps.indices.contains(column) ? model.steps[column] : Timeline.Step()
            var style = Style()
            style.color = step.errors > 0 ? .red : step.warnings > 0 ? .yellow : .cyan
            style.isReversed = isFocused && model.chosenSteps.contains(column)
            // A single record is seen, too.
            let eighths = step.total == 0 ? 0 : max(1, step.total * height * 8 / highest)
            for line in 0..<height {
                let part = max(0, min(8, eighths - line * 8))
                canvas.write(bar(part), row: layout.timeline.upperBound - 1 - line, column: 1 + column, style: style)
            }
        }
        let begin = time(timeline.begin)
        let step = model.steps.indices.contains(model.timelineCursor) ? model.steps[model.timelineCursor] : nil
        let middle =
            isFocused
            ? "\(time(timeline.times(of: model.timelineCursor).lowerBound)): \(step?.total ?? 0), \(step?.errors ?? 0) errors"
            : "highest \(Self.grouped(highest)) in \(Self.length(timeline.span))"
        let end = time(timeline.times(of: timeline.columns - 1).upperBound)
        canvas.write(begin, row: layout.axis, column: 1, style: Self.quiet)
        canvas.write(
            middle,
            row: layout.axis,
            column: max(begin.count + 3, (model.columns - middle.count) / 2),
            style: isFocused ? Self.title : Self.quiet
        )
        if model.columns > begin.count + middle.count + end.count + 8 {
            canvas.write(end, row: layout.axis, column: model.columns - end.count - 1, style: Self.quiet)
        }
    }

    private func bar(_ eighths: Int) -> String {
        if hasBlocks { return [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][eighths] }
        return eighths == 0 ? " " : eighths < 4 ? "." : "#"
    }

    // MARK: The list

    private mutating func drawList(_ layout: ExploreModel.Layout) {
        let width = (layout.facets?.lowerBound).map { $0 - 1 } ?? model.columns
        let first = model.firstRecord
        if model.list.records.isEmpty {
            let isOver = model.progress == .whole || model.failure != nil
            let text = isOver ? "No record." : "Looking for records …"
            canvas.write(text, row: layout.list.lowerBound, column: 0, width: width, style: Self.quiet)
            return
        }
        for (offset, row) in layout.list.enumerated() {
            guard model.list.records.indices.contains(first + offset) else { break }
            let record = model.list.records[first + offset]
            var style = Self.style(of: record)
            if first + offset == model.list.cursor {
                style.isReversed = model.focus == .list || model.focus == .filter
                style.isUnderlined = !style.isReversed
            }
            let end = canvas.write(line(record), row: row, column: 0, width: width, style: style)
            if style.isReversed, end < width {
                canvas.write(String(repeating: " ", count: width - end), row: row, column: end, style: style)
            }
        }
    }

    private static func style(of record: Record) -> Style {
        switch record.severity {
        case .some(...(.error)): Style(color: .red, isBold: true)
        case .warning: Style(color: .yellow)
        case .notice: Style(isBold: true)
        case .debug: Style(color: .gray)
        default: record.kind == .event ? .plain : Style(color: .magenta)
        }
    }

    private func line(_ record: Record) -> String {
        let message =
            record.content.withMessage { $0.map { String(decoding: $0.prefix(Self.maxMessage), as: UTF8.self) } } ?? "-"
        let speaker = record.content.speaker ?? record.source
        return "\(model.marks.contains(record) ? "*" : "")\(time(record.time.microseconds)) \(speaker): \(message)"
    }

    // MARK: Panes

    private mutating func drawFacets(_ layout: ExploreModel.Layout) {
        guard let columns = layout.facets else { return }
        let lines = model.facets.lines
        let first = model.firstFacet
        let total = max(1, model.counts?.total ?? 1)
        for (offset, row) in layout.list.enumerated() {
            canvas.write(hasBlocks ? "│" : "|", row: row, column: columns.lowerBound - 1, style: Self.quiet)
            guard lines.indices.contains(first + offset) else { continue }
            var style = Style.plain
            var text: String
            switch lines[first + offset] {
            case .field(let index, let distinct):
                let facet = model.facets.facets[index]
                style.isBold = true
                text =
                    "\(facet.extent == .none ? "+" : "-") \(facet.path.text) (\(Self.grouped(distinct))\(facet.hasMore ? " and more" : ""))"
            case .value(_, let value, let count):
                let share = Double(count) * 100 / Double(total)
                let number = Self.grouped(count)
                let tail = " " + number + " " + Self.padded(share < 0.95 ? "<1" : "\(Int(share.rounded()))", 3) + "%"
                let width = max(4, columns.count - 3 - tail.count)
                text = "  " + (value ?? "-")
                style.isReversed = model.focus == .facets && first + offset == model.facets.cursor
                let end = canvas.write(text, row: row, column: columns.lowerBound, width: width + 2, style: style)
                if end < columns.lowerBound + width + 2 {
                    canvas.write(
                        String(repeating: " ", count: columns.lowerBound + width + 2 - end),
                        row: row,
                        column: end,
                        style: style
                    )
                }
                canvas.write(tail, row: row, column: columns.lowerBound + width + 2, style: style)
                continue
            }
            style.isReversed = model.focus == .facets && first + offset == model.facets.cursor
            canvas.write(text, row: row, column: columns.lowerBound, width: columns.count, style: style)
        }
    }

    private mutating func drawDetails(_ layout: ExploreModel.Layout) {
        let fields = model.details
        let height = layout.details.count - 1
        canvas.write(
            String(repeating: hasBlocks ? "─" : "-", count: model.columns),
            row: layout.details.lowerBound,
            column: 0,
            style: Self.quiet
        )
        let first = ExploreModel.first(model.detailCursor, of: fields.count, in: height)
        for (offset, row) in layout.details.dropFirst().enumerated() {
            guard fields.indices.contains(first + offset) else { break }
            let field = fields[first + offset]
            let isChosen = model.focus == .details && first + offset == model.detailCursor
            let column = canvas.write(
                field.name,
                row: row,
                column: 0,
                style: Style(color: .cyan, isReversed: isChosen)
            )
            canvas.write(
                "=" + field.text + (field.isWhole ? "" : " …"),
                row: row,
                column: column,
                style: Style(isReversed: isChosen)
            )
        }
    }

    private mutating func drawKeys(_ layout: ExploreModel.Layout) {
        let keys =
            switch model.focus {
            case .list:
                "/ filter  t time  f fields  Enter record  u undo  a around  F follow  c command  ? help  q quit"
            case .timeline: "left right move  Space mark  Enter zoom  - wider  Esc back"
            case .facets: "Enter choose  x leave out  Esc close"
            case .details: "Enter choose  x leave out  + count its values  Esc close"
            case .prompt: "Enter done  Esc leave"
            case .filter: "Enter done  Esc take back  Tab complete  up down history"
            }
        canvas.write(keys, row: layout.keys, column: 0, style: Self.quiet)
    }

    private mutating func help() {
        for (row, line) in Self.helpLines.enumerated() where row < model.rows {
            canvas.write(line, row: row, column: 1, style: row == 0 ? Self.title : .plain)
        }
    }

    private static let helpLines = [
        "Keys of busctl-rx explore (any key leads back)",
        "",
        "/ e           edit the filter; it takes effect while it is typed",
        "u             take the last choice back; r asks the same again",
        "Tab           go to the next part of the screen",
        "up down j k   move; PgUp PgDn; g first, G newest",
        "Enter d       all fields of the record; Enter choose, x leave out, + count",
        "f             fields and their values; Enter choose, or more values, x leave out",
        "p             the same with the patterns of messages",
        "t             the time line; left right, Space mark, Enter zoom in, - wider",
        "o             wider times",
        "a             everything around this record, without the filter",
        "U B P         this record's unit, boot, process",
        "s n N         search messages; the next newer one, the next older one",
        "m '           mark the record, or not; go to the next mark",
        "F             follow what comes, or not",
        "c             show the equal busctl-rx tail command",
        "w             write what is selected into a file, in a format of tail",
        "Ctrl-L        draw the screen anew",
        "q             end",
    ]

    // MARK: Texts

    private func time(_ time: Int64) -> String { ExploreModel.text(of: time, .classic, isUTC: isUTC) }

    /// A number with commas between thousands.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number).reversed())
        return String(
            digits.indices.flatMap { $0 > 0 && $0 % 3 == 0 ? [",", digits[$0]] : [digits[$0]] }.reversed()
        )
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func length(_ microseconds: Int64) -> String {
        let units: [(Int64, String)] = [
            (86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "min"), (1_000_000, "s"), (1000, "ms"), (1, "µs"),
        ]
        let unit = units.first { microseconds % $0.0 == 0 } ?? (1, "µs")
        return "\(microseconds / unit.0) \(unit.1)"
    }
}
