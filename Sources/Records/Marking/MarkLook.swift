/// The control sequences of marks (ECMA-48).
package struct MarkLook: Sendable {
    /// Begins a mark.
    let start: StaticString
    /// Ends a mark.
    let end: StaticString
    /// Restores the colour around a mark.
    let resume: StaticString

    /// Bold red, in text without a colour.
    package static let plain = MarkLook(start: red, end: SeverityColor.end, resume: "")

    private static let red: StaticString = "\u{1B}[0;1;31m"

    /// In a message of this severity, as journalctl has it: bold, where the message is red or yellow.
    package static func message(_ severity: Severity?) -> MarkLook {
        guard let severity, let color = SeverityColor.start(severity) else { return plain }
        // These colours begin with the sequence that ends all others.
        let start: StaticString = severity.rawValue <= Severity.warning.rawValue ? "\u{1B}[0;1;39m" : red
        return MarkLook(start: start, end: color, resume: "")
    }

    /// In the name of a source, which has a colour of its own.
    static func source(_ color: StaticString) -> MarkLook {
        MarkLook(start: red, end: SeverityColor.end, resume: color)
    }
}
