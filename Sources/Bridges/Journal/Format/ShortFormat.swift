import Records

/// The line of a classic log file, as `journalctl -o short` prints it and in other forms of the time: time, host, identifier,
/// process, message.
///
/// A message of several lines continues below its own beginning. Of a message that is not text, the size is shown. An
/// entry without a message prints nothing.
///
/// Everything before the message is one line: a tab, a line feed or a character that changes the direction of writing
/// has the visible form of ``TerminalText``, wherever the line goes.
struct ShortFormat {
    /// Whether a message with control characters is written with them, to be made visible, and not given as its size.
    private let isForTerminal: Bool
    /// Whether a message that is not text is written as it is, and not given as its size.
    private let keepsAll: Bool
    private let hasColors: Bool
    private let hidesHost: Bool
    private let showsUnit: Bool
    private var clock: ClockText
    /// In place of the clock.
    private var uptime: UptimeText?
    private var boots: BootLine
    private let aids: ReadingAids
    private let hasMarks: Bool
    private var timeGaps: TimeGapLine?

    /// From this length on a host or identifier is not shown.
    private static let maxLength = 300

    init(_ style: JournalStyle) {
        isForTerminal = style.isForTerminal
        keepsAll = style.showsAll
        hasColors = style.hasColors
        hidesHost = style.hidesHost
        showsUnit = style.format == .withUnit
        boots = BootLine(style)
        aids = style.aids
        hasMarks = aids.hasMarks
        timeGaps = TimeGapLine(aids.timeGap)
        clock = Self.clock(style.format, isUTC: style.isUTC)
        switch style.format {
        case .shortMonotonic: uptime = UptimeText(showsDelta: false)
        case .shortDelta: uptime = UptimeText(showsDelta: true)
        default: uptime = nil
        }
    }

    private static func clock(_ format: JournalFormat, isUTC: Bool) -> ClockText {
        switch format {
        case .shortPrecise: ClockText(.classic, microseconds: true, isUTC: isUTC)
        case .shortISO: ClockText(.iso, isUTC: isUTC)
        case .shortISOPrecise: ClockText(.iso, microseconds: true, isUTC: isUTC)
        case .shortUnix: ClockText(.unix, microseconds: true, isUTC: isUTC)
        case .shortFull, .withUnit: ClockText(.full, isUTC: isUTC)
        default: ClockText(.classic, isUTC: isUTC)
        }
    }

    /// Returns whether the entry has a line.
    mutating func format(_ entry: EntryView, into output: inout OutputBuffer) -> Bool {
        boots.separate(entry, into: &output)
        let fields = ShortFields(entry)
        guard let message = fields.message else {
            uptime?.note(fields.monotonic, realtime: fields.time, boot: entry.bootID)
            return false
        }
        timeGaps?.separate(Int64(clamping: fields.time), into: &output)
        let start = output.count
        // Columns, not bytes: marks take none.
        var hidden = 0
        if uptime == nil {
            clock.append(fields.time, to: &output)
        } else {
            uptime?.append(fields.monotonic, realtime: fields.time, boot: entry.bootID, to: &output)
        }
        if !hidesHost, let host = Self.shown(fields.host) {
            output.append(" ")
            append(host, &hidden, to: &output)
        }
        output.append(" ")
        name(fields, &hidden, into: &output)
        if let process = Self.shown(fields.process) ?? Self.shown(fields.claimedProcess) {
            output.append("[")
            append(process, &hidden, to: &output)
            output.append("]")
        }
        output.append(": ")
        self.message(aids.shown(of: message), fields.priority, indent: output.count - start - hidden, into: &output)
        return true
    }

    private func message(
        _ message: UnsafeRawBufferPointer,
        _ priority: UnsafeRawBufferPointer?,
        indent: Int,
        into output: inout OutputBuffer
    ) {
        let color = hasColors ? SeverityColor.start(priority) : nil
        if let color { output.append(color) }
        // Nothing is marked in what is no text.
        if hasMarks, !keepsAll || PlainMessage.isText(message) {
            let severity = hasColors ? priority.flatMap { Severity(digit: $0) } : nil
            aids.append(message: message, of: severity, indent: indent, isForTerminal: isForTerminal, to: &output)
        } else {
            let start = output.count
            PlainMessage.append(
                message,
                indent: indent,
                keepsControls: isForTerminal,
                keepsAll: keepsAll,
                to: &output
            )
            // The rest of the line is harmless already, and colours must work.
            if isForTerminal { TerminalText.makeVisible(from: start, in: &output) }
        }
        if color != nil {
            output.truncate(to: output.count - 1)
            output.append(SeverityColor.end)
            output.append("\n")
        }
    }

    /// The writer of the entry.
    private func name(_ fields: ShortFields, _ hidden: inout Int, into output: inout OutputBuffer) {
        let units = showsUnit ? [fields.unit, fields.userUnit].compactMap(Self.shown) : []
        for (index, unit) in units.enumerated() {
            if index > 0 { output.append("/") }
            append(unit, &hidden, to: &output)
        }
        // journalctl takes the user's unit for as long as the other one is, when it indents the further lines of a message.
        if showsUnit, let unit = Self.shown(fields.userUnit) { hidden += unit.count - (fields.unit?.count ?? 0) }
        if !units.isEmpty { return }
        if let name = Self.shown(fields.identifier) ?? Self.shown(fields.command) {
            append(name, &hidden, to: &output)
        } else {
            output.append("unknown")
            // journalctl indents further lines of a message equally little.
            hidden += " unknown".utf8.count
        }
    }

    /// - Parameter hidden: is increased by the bytes that take no place on a terminal.
    @inline(__always)
    private func append(_ value: UnsafeRawBufferPointer, _ hidden: inout Int, to output: inout OutputBuffer) {
        if hasMarks {
            hidden += aids.append(partOfLine: value, to: &output)
        } else {
            TerminalText.append(partOfLine: value, to: &output)
        }
    }

    private static func shown(_ value: UnsafeRawBufferPointer?) -> UnsafeRawBufferPointer? {
        guard let value, value.count < maxLength, Printable.isPrintable(value) else { return nil }
        return value
    }
}
