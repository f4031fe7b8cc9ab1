/// A text with names of fields in braces, such as `{time:iso} {unit} {message}`.
///
/// - `{time}` and `{time:STYLE}`: when it happened; the styles are `short`, `precise`, `iso`, `iso-precise`, `full`, `unix` and `utc`
///   (RFC 3339). Without one, `iso-precise`.
/// - `{source}`, `{sequence}`, `{message}`, `{pattern}`, `{speaker}`.
/// - `{severity}` by name, `{severity:number}`; `{priority}` is the same.
/// - `{late}`, `{gap}`: `true` or `false`.
/// - `{NAME}`: the first value of any other field; nothing where the record does not have it. `{NAME|text}` gives a
///   text for that case. For an entry of a journal `{unit}`, `{identifier}`, `{pid}`, `{uid}`, `{host}` and `{boot}`
///   work, too. Of a value that is JSON, `{http.status}`, `{http["status"]}` and `{tags[0]}` are parts.
/// - `{{` and `}}` are braces; `\n`, `\t`, `\\` are as in C.
public struct RecordTemplate: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case text([UInt8])
        case time(RecordFormat.LineTime)
        case utc
        case source
        case sequence
        case severity(asNumber: Bool)
        case message(or: [UInt8])
        case common(CommonField)
        case field(FieldPath, or: [UInt8])
    }

    let parts: [Part]

    /// The fields in its braces that not all records have.
    package var paths: [FieldPath] {
        parts.compactMap { part in if case .field(let path, _) = part { path } else { nil } }
    }

    /// - Throws: ``RecordTemplateError``, which describes the mistake and names its place.
    public init(_ text: String) throws(RecordTemplateError) {
        var parser = TemplateParser(text)
        parts = try parser.parts()
    }

    func write(
        _ record: Record,
        _ clock: inout ClockText,
        isForTerminal: Bool,
        _ aids: ReadingAids,
        to output: inout OutputBuffer
    ) {
        func append(_ value: UnsafeRawBufferPointer, isMessage: @autoclosure () -> Bool = false) {
            if aids.hasMarks {
                let form: MarkedText.Form = isForTerminal ? .partOfLine : .asItIs
                aids.append(value, isMessage: isMessage(), as: form, to: &output)
            } else if isForTerminal {
                TerminalText.append(partOfLine: value, to: &output)
            } else {
                output.append(value)
            }
        }
        for part in parts {
            switch part {
            case .text(let text):
                let start = output.count
                text.withUnsafeBytes { output.append($0) }
                if isForTerminal { TerminalText.makeVisible(from: start, in: &output) }
            case .time(let style):
                clock.setStyle(style)
                clock.append(record.time, to: &output)
            case .utc: output.append(text: record.time.description)
            case .source:
                var source = record.source
                source.withUTF8 { append(UnsafeRawBufferPointer($0)) }
            case .sequence: output.append(decimal: record.sequence)
            case .severity(let asNumber):
                if let severity = record.severity {
                    var text = asNumber ? "\(severity.rawValue)" : severity.name
                    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
                }
            case .message(let other):
                record.content.withMessage { message in
                    if let message { append(message, isMessage: true) } else { other.withUnsafeBytes { append($0) } }
                }
            case .common(let field):
                var text = field.text(of: record) ?? ""
                text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
            case .field(let path, let other):
                record.content.withFields(named: path.names) { fields in
                    if let value = path.value(in: fields) {
                        value.withPlainBytes { append($0, isMessage: record.says($0)) }
                    } else {
                        other.withUnsafeBytes { append($0) }
                    }
                }
            }
        }
    }
}

private struct TemplateParser {
    typealias Part = RecordTemplate.Part

    private let text: [UInt8]
    private var position = 0
    private var plain: [UInt8] = []

    init(_ text: String) {
        self.text = Array(text.utf8)
    }

    mutating func parts() throws(RecordTemplateError) -> [Part] {
        var parts: [Part] = []
        while position < text.count {
            let byte = text[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\\"): plain.append(try escape())
            case UInt8(ascii: "{"), UInt8(ascii: "}"):
                if position < text.count, text[position] == byte {
                    position += 1
                    plain.append(byte)
                    continue
                }
                guard byte == UInt8(ascii: "{") else {
                    throw RecordTemplateError(
                        offset: position - 1,
                        description: "a '}' without its '{'; write '}}' for a brace"
                    )
                }
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = []
                parts.append(try field())
            default: plain.append(byte)
            }
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        return parts
    }

    private mutating func escape() throws(RecordTemplateError) -> UInt8 {
        guard position < text.count else {
            throw RecordTemplateError(
                offset: position - 1,
                description: "a '\\' with nothing behind it; write '\\\\' for a backslash"
            )
        }
        defer { position += 1 }
        switch text[position] {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
        default:
            throw RecordTemplateError(offset: position - 1, description: "'\\' may stand before n, t and another '\\'")
        }
    }

    private mutating func field() throws(RecordTemplateError) -> Part {
        let start = position
        let close = FieldPath.end(in: text[start...]) { $0 == UInt8(ascii: "}") }
        guard close < text.count else {
            throw RecordTemplateError(offset: start - 1, description: "a '{' without its '}'; write '{{' for a brace")
        }
        position = close + 1
        let nameEnd = FieldPath.end(in: text[start..<close]) { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "|") }
        let name = String(decoding: text[start..<nameEnd], as: UTF8.self)
        let parts = text[nameEnd..<close].split(
            separator: UInt8(ascii: "|"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let style = parts[0].isEmpty ? nil : String(decoding: parts[0].dropFirst(), as: UTF8.self)
        let other = parts.count > 1 ? Array(parts[1]) : []
        guard !name.isEmpty else {
            throw RecordTemplateError(offset: start - 1, description: "write the name of a field between braces")
        }
        return try part(name, style, or: other, at: start)
    }

    private func part(_ name: String, _ style: String?, or other: [UInt8], at start: Int) throws(RecordTemplateError)
        -> Part
    {
        switch (name, style) {
        case ("time", "utc"): return .utc
        case ("time", _):
            let styles: [String: RecordFormat.LineTime] = [
                "short": .classic, "precise": .precise, "iso": .iso, "iso-precise": .isoPrecise, "full": .full,
                "unix": .unix,
            ]
            guard let time = styles[style ?? "iso-precise"] else {
                throw RecordTemplateError(
                    offset: start,
                    description: "time is shown as short, precise, iso, iso-precise, full, unix or utc"
                )
            }
            return .time(time)
        case ("severity", nil), ("priority", nil): return .severity(asNumber: false)
        case ("severity", "number"), ("priority", "number"): return .severity(asNumber: true)
        case (_, .some):
            throw RecordTemplateError(offset: start, description: "only time and severity can be followed by ':'")
        case ("source", nil): return .source
        case ("sequence", nil): return .sequence
        case ("message", nil): return .message(or: other)
        case (_, nil):
            if let common = CommonField(rawValue: name) { return .common(common) }
            do throws(FieldPathError) {
                return .field(try FieldPath(name), or: other)
            } catch {
                throw RecordTemplateError(offset: start, description: error.description)
            }
        }
    }
}

/// A mistake in a template.
public struct RecordTemplateError: Error, Hashable, CustomStringConvertible {
    /// Where it begins, in bytes.
    public let offset: Int
    public let description: String
}
