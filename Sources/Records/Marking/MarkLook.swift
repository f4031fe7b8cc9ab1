/// How marks look, as ECMA-48 has it.
package struct MarkLook: Sendable {
    /// What begins a mark.
    let start: StaticString
    /// What ends it.
    let end: StaticString
    /// What brings back the colour around it.
    let resume: StaticString

    /// Bold red, in text without a colour.
    package static let plain = MarkLook(start: red, end: SeverityColor.end, resume: "")

    private static let red: StaticString = "\u{1B}[0;1;31m"

    /// In a message of this severity, as journalctl has it: bold, where the message is red or yellow.
    package static func message(_ severity: Severity?) -> MarkLook {
        guard let severity, let color = SeverityColor.start(severity) else { return plain }
        // These colours begin with what ends all others.
        let start: StaticString = severity.rawValue <= Severity.warning.rawValue ? "\u{1B}[0;1;39m" : red
        return MarkLook(start: start, end: color, resume: "")
    }

    /// In the name of a source, which has a colour of its own.
    static func source(_ color: StaticString) -> MarkLook {
        MarkLook(start: red, end: SeverityColor.end, resume: color)
    }
}
