import Bus
import Glibc
package import Records

/// Explains entries with the texts of ``MessageCatalog``, as `journalctl -x` does below them.
///
/// For a terminal it writes so that no entry can control the terminal. It is used by one thread at a time.
package struct CatalogFormat {
    private let catalog = MessageCatalog()
    private let mark: StaticString
    private let isForTerminal: Bool
    private let hasColors: Bool

    private static let markColor: StaticString = "\u{1B}[0;38;5;245m"
    private static let textColor: StaticString = "\u{1B}[0;32m"

    /// `nil` where nothing is to be explained.
    package init?(_ style: JournalStyle) {
        guard let mark = style.explanations else { return nil }
        self.mark = mark.text
        isForTerminal = style.isForTerminal
        hasColors = style.hasColors
    }

    package func append(_ entry: JournalEntry, to output: inout OutputBuffer) {
        entry.storage.withView { append($0, to: &output) }
    }

    func append(_ entry: EntryView, to output: inout OutputBuffer) {
        guard let id = entry.value(named: "MESSAGE_ID").flatMap({ ID128(message: $0) }),
            let template = catalog.text(for: id)
        else { return }
        let text = Self.stripped(CatalogVariables.replaced(in: template, from: entry))
        for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            append(line, isFirst: index == 0, to: &output)
        }
    }

    private func append(_ line: ArraySlice<UInt8>, isFirst: Bool, to output: inout OutputBuffer) {
        if hasColors { output.append(Self.markColor) }
        output.append(mark)
        // As journalctl has it, which makes no difference to the eye.
        if isFirst { output.append(" ") }
        if hasColors { output.append(SeverityColor.end) }
        if !isFirst { output.append(" ") }
        if hasColors { output.append(Self.textColor) }
        let start = output.count
        line.withUnsafeBytes { output.append($0) }
        if isForTerminal { TerminalText.makeVisible(from: start, in: &output) }
        if hasColors { output.append(SeverityColor.end) }
        output.append("\n")
    }

    private static func stripped(_ text: [UInt8]) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard let last = text.lastIndex(where: { !isSpace($0) }) else { return [] }
        return text[...last].drop(while: isSpace)
    }

    /// The reason why there may be no explanations, and what to do about it; `nil` where systemd's own message is
    /// explained.
    package static var complaint: String? {
        // SD_MESSAGE_JOURNAL_START, which each version of systemd explains.
        var id = ID128()
        id.first = UInt64(0xF773_79A8_490B_408B).bigEndian
        id.second = UInt64(0xBE5F_6940_505A_777B).bigEndian
        do throws(MessageCatalog.Failure) {
            _ = try MessageCatalog.look(up: id)
            return nil
        } catch {
            return "cannot read the message catalogue for --catalog: \(reason(for: error))"
        }
    }

    private static func reason(for failure: MessageCatalog.Failure) -> String {
        switch failure {
        case .system(let code):
            let reason = code == ENOENT ? "it does not exist, or lacks systemd's messages" : SystemError.text(code)
            return "\(reason); 'journalctl --update-catalog' makes it from what is installed"
        case .noLibrary(let reason): return "\(reason); install libsystemd (on Debian: libsystemd0)"
        }
    }
}
