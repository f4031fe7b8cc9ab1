/// Aids for people who read records, which are not part of the records.
package struct ReadingAids: Sendable {
    /// Finds the parts to mark.
    package var marker: (any TextMarker)?
    /// If more time lies between two records, a line says so.
    package var timeGap: Duration?
    /// Whether of a message of several lines only the first is shown in lines.
    package var truncatesMessages = false

    package init() {}

    /// Whether there is something to do for each text.
    package var hasMarks: Bool { marker != nil }

    package var areUsed: Bool { hasMarks || timeGap != nil }

    /// The part of a message that the formats of lines show.
    package func shown(of message: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard truncatesMessages else { return message }
        return UnsafeRawBufferPointer(rebasing: message[..<(message.firstIndex(of: 0x0A) ?? message.endIndex)])
    }

    /// Appends a value that is part of a line, see ``TerminalText``. Returns how many bytes take no place on a
    /// terminal.
    package func append(partOfLine value: UnsafeRawBufferPointer, to output: inout OutputBuffer) -> Int {
        append(partOfLine: value, .plain, to: &output)
    }

    func append(
        partOfLine value: UnsafeRawBufferPointer,
        _ look: MarkLook,
        to output: inout OutputBuffer
    ) -> Int {
        let parts = parts(of: value, isMessage: false)
        guard !parts.isEmpty else {
            TerminalText.append(partOfLine: value, to: &output)
            return 0
        }
        var marked = MarkedText(value, parts, as: .partOfLine, look)
        marked.append(to: &output)
        return marked.hidden
    }

    /// Appends a value with its tabs and line feeds: for a terminal in visible form, else byte for byte.
    package func append(
        _ value: UnsafeRawBufferPointer,
        isMessage: Bool,
        isForTerminal: Bool,
        to output: inout OutputBuffer
    ) {
        append(value, isMessage: isMessage, as: isForTerminal ? .visible : .asItIs, to: &output)
    }

    func append(
        _ value: UnsafeRawBufferPointer,
        isMessage: Bool,
        as form: MarkedText.Form,
        to output: inout OutputBuffer
    ) {
        var marked = MarkedText(value, parts(of: value, isMessage: isMessage), as: form, .plain)
        marked.append(to: &output)
    }

    /// Appends the lines of a value, see ``PlainMessage``.
    package func append(
        lines value: UnsafeRawBufferPointer,
        isMessage: Bool,
        indent: Int,
        keepsControls: Bool,
        isForTerminal: Bool,
        to output: inout OutputBuffer
    ) {
        PlainMessage.append(
            lines: value,
            marking: parts(of: value, isMessage: isMessage),
            .plain,
            indent: indent,
            keepsControls: keepsControls,
            isForTerminal: isForTerminal,
            to: &output
        )
    }

    /// Appends the message of a line.
    ///
    /// - Parameters:
    ///   - isMessage: false for a text that takes the place of a message.
    ///   - severity: the severity that sets the message's colour; `nil` where it has none.
    package func append(
        message: UnsafeRawBufferPointer,
        isMessage: Bool = true,
        of severity: Severity?,
        indent: Int,
        isForTerminal: Bool,
        to output: inout OutputBuffer
    ) {
        PlainMessage.append(
            message,
            marking: parts(of: message, isMessage: isMessage),
            .message(severity),
            indent: indent,
            isForTerminal: isForTerminal,
            to: &output
        )
    }

    private func parts(of text: UnsafeRawBufferPointer, isMessage: Bool) -> [Range<Int>] {
        marker?.parts(of: text, isMessage: isMessage) ?? []
    }
}
