/// The format of a record's text.
public enum RecordFormat: Sendable, Hashable {
    /// A line: time, source, writer, message; without a message, the fields in logfmt.
    case line(LineTime)
    /// The message alone; or the values of the requested fields, a line each.
    case message
    /// A line with the time and the source, and one for each field below it.
    case verbose
    /// An object of JSON (RFC 8259) in a line: `time` in RFC 3339 and UTC, `source`, `sequence`, and where they are
    /// known `monotonic` in microseconds since the machine's start, `severity` by name and `message`; then `fields`,
    /// an object. A record that is late has `"late":true`; a gap has `"gap":true` and, where it is known, `lost`. If
    /// a field is there twice, its values are in a list.
    case json
    /// The same over several lines.
    case jsonPretty
    /// The same after a record separator (RFC 7464).
    case jsonSequence
    /// The same as server-sent events.
    case jsonEvents
    /// `time=… source=… severity=… msg="…"` and the fields, in logfmt.
    case logfmt
    /// The text of a template.
    case template(RecordTemplate)

    /// The form of the time in a line.
    public enum LineTime: Sendable, Hashable {
        /// `Nov 23 21:02:28`
        case classic
        /// `Nov 23 21:02:28.001234`
        case precise
        /// `2026-11-23T21:02:28+01:00`
        case iso
        /// `2026-11-23T21:02:28.001234+01:00`
        case isoPrecise
        /// `Mon 2026-11-23 21:02:28 CET`
        case full
        /// Seconds since 1970, with six digits of the fraction.
        case unix
    }
}

extension RecordFormat {
    /// Whether it is text for people, which programs do not parse.
    package var isForPeople: Bool {
        switch self {
        case .line, .message, .verbose, .template: true
        case .json, .jsonPretty, .jsonSequence, .jsonEvents, .logfmt: false
        }
    }
}

/// A ``RecordFormat``, and the parts of a record that are shown in it.
public struct RecordStyle: Sendable, Hashable {
    /// The format, which the other properties adjust.
    public var format: RecordFormat
    /// Whether a terminal will show the text. The text then contains nothing that could control the terminal: control
    /// characters are shown as `\x1b` or `\u202e`.
    public var isForTerminal = false
    /// Whether lines have the colour of their severity, and each source's name a colour of its own (ECMA-48).
    public var hasColors = false
    /// Whether times are in UTC and not in the local zone. Times in JSON and logfmt always are.
    public var isUTC = false
    /// The only fields that are shown, in this order; `nil` for all. Of a value that is JSON, `http.status`,
    /// `http["status"]` and `tags[0]` are parts, which are shown under these names.
    public var fields: [String]?

    /// All fields, in the local time zone, without colours, and not for a terminal.
    public init(_ format: RecordFormat) {
        self.format = format
    }
}
