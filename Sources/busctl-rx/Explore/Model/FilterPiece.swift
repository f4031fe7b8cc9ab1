import JournalBridge
import Records

/// Conditions on single values as parts of a filter.
enum FilterPiece {
    /// The spellings that may be right for a field, the likeliest first.
    ///
    /// - Parameters:
    ///   - value: `nil` for records without the field.
    ///   - isPlain: whether all messages of a pattern in the records of the query are known to be UTF-8 without colours
    ///     and other control characters.
    static func candidates(_ name: String, _ value: String?, isWanted: Bool, isPlain: Bool = true) -> [String] {
        guard isName(name) else { return [] }
        guard let value else { return ["\(isWanted ? "!" : "")has(\(name))"] }
        if name == CommonField.pattern.rawValue {
            // The short one also where the other is too long for a filter.
            return (isPlain ? [true] : [false, true]).map {
                let expression = expression(ofPattern: value, isPlain: $0)
                return "message \(isWanted ? "=~" : "!~") \(FilterText.quoted(expression))"
            }
        }
        // Nothing compares equal to what stands in the place of bytes that are no text.
        if value.contains("\u{FFFD}") { return [] }
        let comparison = isWanted ? "==" : "!="
        return ["\(name) \(comparison) \(FilterText.quoted(value))"]
            + (standsAlone(value) ? ["\(name) \(comparison) \(value)"] : [])
    }

    /// Whether a name that a record may have is a field's in a filter, and not an expression.
    private static func isName(_ name: String) -> Bool {
        name.first?.isNumber == false && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    }

    /// Whether a value is written without quotes where its field is no text.
    private static func standsAlone(_ value: String) -> Bool {
        ["true", "false"].contains(value) || Severity(name: value.utf8) != nil
            || value.first?.isLetter == false && Double(value) != nil
    }

    /// The field and the beginning of its value, where a filter ends inside a text in quotes: `unit == "ngi`.
    static func openValue(in head: String) -> (field: String, start: String)? {
        var quote: String.Index?
        var isEscaped = false
        for index in head.indices {
            if isEscaped {
                isEscaped = false
            } else if head[index] == "\\" {
                isEscaped = quote != nil
            } else if head[index] == "\"" {
                quote = quote == nil ? index : nil
            }
        }
        guard let quote else { return nil }
        let start = String(head[head.index(after: quote)...])
        let field = head[..<quote].reversed().drop { " =!".contains($0) }.prefix {
            $0.isLetter || $0.isNumber || $0 == "_"
        }
        return field.isEmpty ? nil : (String(field.reversed()), start)
    }

    /// A regular expression for the messages of a pattern, and perhaps some that are like them: what a pattern leaves out may be
    /// anything.
    private static func expression(ofPattern pattern: String, isPlain: Bool) -> String {
        // In a pattern, one space stands for any number of spaces, control characters and colour sequences, and U+FFFD for a byte
        // that is not UTF-8. `.` does not match such a byte; `\C` does, but also matches the end of the line.
        let space = isPlain ? "\\s" : #"(\x1b\[[\d;]*m|[[:cntrl:] ])"#
        let (any, end) = isPlain ? (".*", "\n") : (#"\C*"#, #"[\r\n]"#)
        let scalars = pattern.unicodeScalars
        let isCut = scalars.last == "…"
        let parts = scalars.dropLast(isCut ? 1 : 0).split(separator: " ", omittingEmptySubsequences: false)
        let words = parts.map { word in
            word.split(separator: MessagePattern.mask.unicodeScalars, omittingEmptySubsequences: false).map { literal in
                literal.map { scalar in
                    if "\\.+*?()|[]{}^$".unicodeScalars.contains(scalar) { return "\\\(scalar)" }
                    return scalar == "\u{FFFD}" && !isPlain ? #"(\x{FFFD}|\C)"# : "\(scalar)"
                }.joined()
            }.joined(separator: any)
        }
        return "^\(space)*" + words.joined(separator: "\(space)+") + (isCut ? "" : "\(space)*(\(end)|$)")
    }

    /// A filter and a further condition, in spellings of which one is right.
    static func joined(_ filter: String, _ piece: String) -> [String] {
        if filter.allSatisfy(\.isWhitespace) { return [piece] }
        // The filter may be an alternative, or end with a comment, which would hold what follows on its line.
        let isAlternative =
            ["||", "?", "//"].contains { filter.contains($0) } || filter.split { !$0.isLetter }.contains("or")
        return (isAlternative ? [] : ["\(filter) && \(piece)"]) + [
            "(\(filter)) && \(piece)", "(\(filter)\n) && \(piece)",
        ]
    }
}
