/// The line of a classic log file, as `journalctl -o short` prints it: time, host, identifier, process, message.
///
/// A message of several lines continues below its own beginning. What is no text is given as its size. An entry without
/// a message prints nothing.
///
/// All before the message is one line: a tab, a line feed or a sign that changes the direction of writing is written in the
/// visible form of ``TerminalText``, wherever the line goes.
struct ShortFormat {
    /// Whether a message with control characters is written with them, to be made visible, and not given as its size.
    let keepsControls: Bool
    private var clock = WallClock()
    private var boot: [UInt8] = []

    /// From this length on a host or identifier is not shown.
    private static let longest = 300

    init(keepsControls: Bool) {
        self.keepsControls = keepsControls
    }

    mutating func format(_ entry: EntryView, into output: inout OutputBuffer) {
        let fields = ShortFields(entry)
        guard let message = fields.message else { return }
        separate(entry, into: &output)
        let start = output.count
        clock.append(fields.time, to: &output)
        if let host = Self.shown(fields.host) {
            output.append(" ")
            TerminalText.append(partOfLine: host, to: &output)
        }
        output.append(" ")
        if let name = Self.shown(fields.identifier) ?? Self.shown(fields.command) {
            TerminalText.append(partOfLine: name, to: &output)
        } else {
            output.append("unknown")
        }
        if let process = Self.shown(fields.process) ?? Self.shown(fields.claimedProcess) {
            output.append("[")
            TerminalText.append(partOfLine: process, to: &output)
            output.append("]")
        }
        output.append(": ")
        PlainMessage.append(message, indent: output.count - start, keepsControls: keepsControls, to: &output)
    }

    /// A line between entries of different boots.
    private mutating func separate(_ entry: EntryView, into output: inout OutputBuffer) {
        let id = entry.bootID
        guard !id.elementsEqual(boot) else { return }
        if !boot.isEmpty, !id.isEmpty {
            output.append("-- Boot ")
            TerminalText.append(partOfLine: id, to: &output)
            output.append(" --\n")
        }
        boot = Array(id)
    }

    private static func shown(_ value: UnsafeRawBufferPointer?) -> UnsafeRawBufferPointer? {
        guard let value, value.count < longest, Printable.isPrintable(value) else { return nil }
        return value
    }
}
