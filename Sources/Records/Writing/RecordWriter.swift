/// Writes records as text, one after the other. It remembers the last time it wrote, so it is used on one thread.
///
/// ```swift
/// import Records
///
/// var writer = RecordWriter(RecordStyle(.json))
/// let fields = RecordFields(message: "ready", ["pid": .int(812)])
/// let line = writer.text(of: Record(source: "web", time: 1_700_000_000_000_000, sequence: 1, content: fields))
/// ```
public struct RecordWriter: Sendable {
    private let style: RecordStyle
    private let shown: [[UInt8]]?
    private var clock: ClockText

    public init(_ style: RecordStyle) {
        self.style = style
        shown = style.fields?.map { Array($0.utf8) }
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
            template.write(record, &clock, isForTerminal: style.isForTerminal, to: &output)
            output.append("\n")
        }
        if style.isForTerminal { TerminalText.makeVisible(from: start, in: &output) }
    }

    // MARK: Text

    private func message(_ record: Record, to output: inout OutputBuffer) {
        guard shown == nil else {
            return forEachField(of: record) { _, values in
                for value in values {
                    value.withPlainBytes { output.append($0) }
                    output.append("\n")
                }
            }
        }
        record.content.withMessage { message in
            guard let message else { return }
            output.append(message)
            output.append("\n")
        }
    }

    private mutating func line(_ record: Record, to output: inout OutputBuffer) {
        record.content.withMessage { message in
            guard let message else {
                return pairs(of: record).withUnsafeBytes { line(record, saying: $0, to: &output) }
            }
            line(record, saying: message, to: &output)
        }
    }

    /// A record's fields as logfmt has them.
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

    private mutating func line(_ record: Record, saying message: UnsafeRawBufferPointer, to output: inout OutputBuffer)
    {
        let start = output.count
        // Columns, not bytes: colours take none.
        let hidden = head(record, to: &output)
        if let speaker = record.content.speaker {
            output.append(" ")
            append(partOfLine: speaker, to: &output)
        }
        if record.isLate { output.append(" (late)") }
        output.append(": ")
        let indent = output.count - start - hidden
        let color = style.hasColors ? record.severity.flatMap(SeverityColor.start) : nil
        if let color { output.append(color) }
        let text = output.count
        PlainMessage.append(message, indent: indent, keepsControls: style.isForTerminal, to: &output)
        if style.isForTerminal { TerminalText.makeVisible(from: text, in: &output) }
        if color != nil {
            output.truncate(to: output.count - 1)
            output.append(SeverityColor.end)
            output.append("\n")
        }
    }

    /// Time and source. Answers how many bytes take no place on a terminal.
    private mutating func head(_ record: Record, to output: inout OutputBuffer) -> Int {
        clock.append(UInt64(clamping: record.time), to: &output)
        output.append(" ")
        guard style.hasColors else {
            append(partOfLine: record.source, to: &output)
            return 0
        }
        let color = SourceColor.start(record.source)
        output.append(color)
        append(partOfLine: record.source, to: &output)
        output.append(SeverityColor.end)
        return color.utf8CodeUnitCount + SeverityColor.end.utf8CodeUnitCount
    }

    private func append(partOfLine text: String, to output: inout OutputBuffer) {
        var text = text
        text.withUTF8 { TerminalText.append(partOfLine: UnsafeRawBufferPointer($0), to: &output) }
    }

    private mutating func verbose(_ record: Record, to output: inout OutputBuffer) {
        clock.append(UInt64(clamping: record.time), to: &output)
        output.append(" ")
        append(partOfLine: record.source, to: &output)
        output.append(" #")
        output.append(decimal: record.sequence)
        if record.isLate { output.append(" (late)") }
        if case .gap = record.kind { output.append(" (gap)") }
        output.append("\n")
        record.content.withMessage { message in
            guard let message, shown == nil else { return }
            output.append("    message: ")
            PlainMessage.append(lines: message, indent: 13, keepsControls: true, to: &output)
        }
        forEachField(of: record) { name, values in
            for value in values {
                output.append("    ")
                TerminalText.append(partOfLine: name, to: &output)
                output.append("=")
                value.withPlainBytes {
                    PlainMessage.append(
                        lines: $0,
                        indent: 5 + name.count,
                        keepsControls: style.isForTerminal,
                        to: &output
                    )
                }
            }
        }
    }

    // MARK: Objects

    private func json(_ record: Record, to output: inout OutputBuffer) {
        output.append("{\"time\":\"")
        output.append(text: RecordTime.text(record.time))
        output.append("\",\"source\":")
        output.append(json: record.source)
        output.append(",\"sequence\":")
        output.append(decimal: record.sequence)
        if let monotonic = record.monotonic {
            output.append(",\"monotonic\":")
            output.append(decimal: monotonic)
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
        forEachField(of: record) { name, values in
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
        output.append(text: RecordTime.text(record.time))
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
    private func forEachField(of record: Record, _ body: (UnsafeRawBufferPointer, [RecordValue]) -> Void) {
        record.content.withFields { fields in
            guard let shown else {
                for group in NamedValues.grouped(fields) { body(group.name, group.values) }
                return
            }
            for name in shown {
                let found = fields.filter { $0.name.elementsEqual(name) }
                if let first = found.first { body(first.name, found.map(\.value)) }
            }
        }
    }
}
