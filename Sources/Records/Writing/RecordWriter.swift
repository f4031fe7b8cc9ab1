/// Writes records as text, one after the other. It remembers the last time it wrote, so it is used on one thread.
///
/// ```swift
/// import Records
///
/// var writer = RecordWriter(RecordStyle(.json))
/// let fields = RecordFields(message: "ready", ["pid": .int(812)])
/// let line = writer.text(of: Record(source: "web", time: .now, sequence: 1, content: fields))
/// ```
public struct RecordWriter: Sendable {
    private let style: RecordStyle
    private let shown: [FieldPath]?
    private var clock: ClockText
    private let aids: ReadingAids
    private var timeGaps: TimeGapLine?

    /// - Parameter style: the style of all records that it writes.
    public init(_ style: RecordStyle) {
        self.init(style, ReadingAids())
    }

    /// - Parameter aids: for formats that people read.
    package init(_ style: RecordStyle, _ aids: ReadingAids) {
        self.style = style
        self.aids = style.format.isForPeople ? aids : ReadingAids()
        timeGaps = TimeGapLine(self.aids.timeGap)
        shown = style.fields?.map(FieldPath.init(orNameOfField:))
        let time: RecordFormat.LineTime = if case .line(let time) = style.format { time } else { .isoPrecise }
        clock = ClockText(time, isUTC: style.isUTC)
    }

    /// The record as text, with its line feed. With ``RecordFormat/message``, nothing for a record without one.
    public mutating func text(of record: Record) -> [UInt8] {
        var output = OutputBuffer(capacity: 512)
        write(record, to: &output)
        return output.withBytes { Array($0) }
    }

    package mutating func write(_ record: Record, to output: inout OutputBuffer) {
        if record.kind == .event, timeGaps != nil, isShown(record) {
            timeGaps?.separate(record.time.microseconds, into: &output)
        }
        let start = output.count
        switch style.format {
        case .line: return line(record, to: &output)
        case .message: message(record, to: &output)
        case .verbose: verbose(record, to: &output)
        case .json: json(record, to: &output)
        case .jsonPretty:
            json(record, to: &output)
            PrettyJSON.layOut(from: start, in: &output)
        case .jsonSequence:
            output.append("\u{1E}")
            json(record, to: &output)
        case .jsonEvents:
            output.append("data: ")
            json(record, to: &output)
            output.append("\n")
        case .logfmt: logfmt(record, to: &output)
        case .template(let template):
            template.write(record, &clock, isForTerminal: style.isForTerminal, aids, to: &output)
            output.append("\n")
        }
        // Marked text is visible already.
        if style.isForTerminal, !aids.hasMarks { TerminalText.makeVisible(from: start, in: &output) }
    }

    // MARK: Text

    /// Whether the record is written at all.
    private func isShown(_ record: Record) -> Bool {
        guard case .message = style.format else { return true }
        guard shown != nil else { return record.content.withMessage { $0 != nil } }
        var isShown = false
        forEachField(of: record) { _, _ in isShown = true }
        return isShown
    }

    private func message(_ record: Record, to output: inout OutputBuffer) {
        guard shown == nil else {
            return forEachField(of: record) { _, values in
                for value in values {
                    value.withPlainBytes { line($0, isMessage: record.says($0), to: &output) }
                }
            }
        }
        record.content.withMessage { message in
            if let message { line(message, isMessage: true, to: &output) }
        }
    }

    /// Writes only a value.
    private func line(
        _ value: UnsafeRawBufferPointer,
        isMessage: @autoclosure () -> Bool,
        to output: inout OutputBuffer
    ) {
        if aids.hasMarks {
            aids.append(value, isMessage: isMessage(), isForTerminal: style.isForTerminal, to: &output)
        } else {
            output.append(value)
        }
        output.append("\n")
    }

    private mutating func line(_ record: Record, to output: inout OutputBuffer) {
        record.content.withMessage { message in
            guard let message else {
                return pairs(of: record).withUnsafeBytes { line(record, saying: $0, isMessage: false, to: &output) }
            }
            line(record, saying: aids.shown(of: message), isMessage: true, to: &output)
        }
    }

    /// A record's fields in logfmt.
    private func pairs(of record: Record) -> [UInt8] {
        var pairs = OutputBuffer(capacity: 512)
        forEachField(of: record) { name, values in
            for value in values {
                if !pairs.isEmpty { pairs.append(" ") }
                LogfmtText.append(name: name, to: &pairs)
                pairs.append("=")
                value.withPlainBytes { LogfmtText.append($0, to: &pairs) }
            }
        }
        return pairs.withBytes { Array($0) }
    }

    private mutating func line(
        _ record: Record,
        saying message: UnsafeRawBufferPointer,
        isMessage: Bool,
        to output: inout OutputBuffer
    ) {
        let start = output.count
        // Columns, not bytes: colours take none.
        var hidden = head(record, to: &output)
        if let speaker = record.content.speaker {
            output.append(" ")
            hidden += append(partOfLine: speaker, to: &output)
        }
        if record.isLate { output.append(" (late)") }
        output.append(": ")
        let indent = output.count - start - hidden
        let color = style.hasColors ? record.severity.flatMap(SeverityColor.start) : nil
        if let color { output.append(color) }
        if aids.hasMarks {
            aids.append(
                message: message,
                isMessage: isMessage,
                of: style.hasColors ? record.severity : nil,
                indent: indent,
                isForTerminal: style.isForTerminal,
                to: &output
            )
        } else {
            let text = output.count
            PlainMessage.append(message, indent: indent, keepsControls: style.isForTerminal, to: &output)
            if style.isForTerminal { TerminalText.makeVisible(from: text, in: &output) }
        }
        if color != nil {
            output.truncate(to: output.count - 1)
            output.append(SeverityColor.end)
            output.append("\n")
        }
    }

    /// Time and source. Returns how many bytes take no place on a terminal.
    private mutating func head(_ record: Record, to output: inout OutputBuffer) -> Int {
        clock.append(record.time, to: &output)
        output.append(" ")
        guard style.hasColors else { return append(partOfLine: record.source, to: &output) }
        let color = SourceColor.start(record.source)
        output.append(color)
        let hidden = append(partOfLine: record.source, .source(color), to: &output)
        output.append(SeverityColor.end)
        return color.utf8CodeUnitCount + hidden + SeverityColor.end.utf8CodeUnitCount
    }

    /// Returns the same.
    private func append(partOfLine text: String, _ look: MarkLook = .plain, to output: inout OutputBuffer) -> Int {
        var text = text
        return text.withUTF8 { aids.append(partOfLine: UnsafeRawBufferPointer($0), look, to: &output) }
    }

    private mutating func verbose(_ record: Record, to output: inout OutputBuffer) {
        clock.append(record.time, to: &output)
        output.append(" ")
        _ = append(partOfLine: record.source, to: &output)
        output.append(" #")
        output.append(decimal: record.sequence)
        if record.isLate { output.append(" (late)") }
        if case .gap = record.kind { output.append(" (gap)") }
        output.append("\n")
        if shown == nil, let content = record.content as? any VerboseContent {
            output.append("    ")
            return content.verboseText.withUnsafeBytes {
                // The indent is that of the lines behind the first.
                lines($0, isMessage: false, indent: 4, keepsControls: true, to: &output)
            }
        }
        record.content.withMessage { message in
            guard let message, shown == nil else { return }
            output.append("    message: ")
            lines(message, isMessage: true, indent: 13, keepsControls: true, to: &output)
        }
        forEachField(of: record) { name, values in
            for value in values {
                output.append("    ")
                TerminalText.append(partOfLine: name, to: &output)
                output.append("=")
                value.withPlainBytes {
                    lines(
                        $0,
                        isMessage: record.says($0),
                        indent: 5 + name.count,
                        keepsControls: style.isForTerminal,
                        to: &output
                    )
                }
            }
        }
    }

    private func lines(
        _ value: UnsafeRawBufferPointer,
        isMessage: @autoclosure () -> Bool,
        indent: Int,
        keepsControls: Bool,
        to output: inout OutputBuffer
    ) {
        guard aids.hasMarks else {
            return PlainMessage.append(lines: value, indent: indent, keepsControls: keepsControls, to: &output)
        }
        aids.append(
            lines: value,
            isMessage: isMessage(),
            indent: indent,
            keepsControls: keepsControls,
            isForTerminal: style.isForTerminal,
            to: &output
        )
    }

    // MARK: Objects

    private func json(_ record: Record, to output: inout OutputBuffer) {
        output.append("{\"time\":\"")
        output.append(text: record.time.description)
        output.append("\",\"source\":")
        output.append(json: record.source)
        output.append(",\"sequence\":")
        output.append(decimal: record.sequence)
        if let monotonic = record.monotonic {
            output.append(",\"monotonic\":")
            output.append(decimal: UInt64(clamping: monotonic.wholeMicroseconds))
        }
        if record.isLate { output.append(",\"late\":true") }
        if case .gap(let lost) = record.kind {
            output.append(",\"gap\":true")
            if let lost {
                output.append(",\"lost\":")
                output.append(text: "\(lost)")
            }
        }
        if let severity = record.severity {
            output.append(",\"severity\":\"")
            output.append(text: severity.name)
            output.append("\"")
        }
        record.content.withMessage { message in
            guard let message else { return }
            output.append(",\"message\":")
            JSONText.append(message, to: &output)
        }
        output.append(",\"fields\":{")
        var isFirst = true
        forEachField(of: record, exact: true) { name, values in
            if !isFirst { output.append(",") }
            isFirst = false
            JSONText.append(name: name, to: &output)
            output.append(":")
            if values.count > 1 { output.append("[") }
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(",") }
                value.append(json: &output)
            }
            if values.count > 1 { output.append("]") }
        }
        output.append("}}\n")
    }

    private func logfmt(_ record: Record, to output: inout OutputBuffer) {
        output.append("time=")
        output.append(text: record.time.description)
        output.append(" source=")
        var source = record.source
        source.withUTF8 { LogfmtText.append(UnsafeRawBufferPointer($0), to: &output) }
        if let severity = record.severity {
            output.append(" severity=")
            output.append(text: severity.name)
        }
        if record.isLate { output.append(" late=true") }
        if case .gap(let lost) = record.kind {
            output.append(" gap=true")
            if let lost { output.append(text: " lost=\(lost)") }
        }
        record.content.withMessage { message in
            guard let message else { return }
            output.append(" msg=")
            LogfmtText.append(message, to: &output)
        }
        forEachField(of: record) { name, values in
            for value in values {
                output.append(" ")
                LogfmtText.append(name: name, to: &output)
                output.append("=")
                value.withPlainBytes { LogfmtText.append($0, to: &output) }
            }
        }
        output.append("\n")
    }

    /// The fields that are shown, each with all its values.
    private func forEachField(
        of record: Record,
        exact: Bool = false,
        _ body: (UnsafeRawBufferPointer, [RecordValue]) -> Void
    ) {
        func each(_ fields: UnsafeBufferPointer<RecordField>) {
            guard let shown else {
                for group in NamedValues.grouped(fields) { body(group.name, group.values) }
                return
            }
            for path in shown {
                let found = path.values(in: fields)
                if found.isEmpty {
                    common(path, of: record, body)
                } else {
                    Self.lend(path.text) { body($0, found) }
                }
            }
        }
        if exact { record.content.withExactFields(each) } else { record.content.withFields(each) }
    }

    /// A field that is not among the content's own, where the format has no place for it.
    private func common(
        _ path: FieldPath,
        of record: Record,
        _ body: (UnsafeRawBufferPointer, [RecordValue]) -> Void
    ) {
        guard let field = CommonField(rawValue: path.text), style.format.isForPeople || !field.hasPlaceInObjects,
            let text = field.text(of: record)
        else { return }
        Self.lend(path.text) { name in Self.lend(text) { body(name, [.text($0)]) } }
    }

    private static func lend(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
        var text = text
        text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

extension Record {
    /// Whether a value is the message, which some records also have among their fields.
    package func says(_ value: UnsafeRawBufferPointer) -> Bool {
        content.withMessage { $0.map { value.elementsEqual($0) } ?? false }
    }
}
