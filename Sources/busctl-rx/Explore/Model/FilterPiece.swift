import JournalBridge
import Records

/// Conditions on single values as parts of a filter.
enum FilterPiece {
    /// The spellings that may be right for a field, the likeliest first.
    ///
    /// - Parameter value: `nil` for records without the field.
    static func candidates(_ name: String, _ value: String?, isWanted: Bool) -> [String] {
        guard isName(name) else { return [] }
        guard let value else { return ["\(isWanted ? "!" : "")has(\(name))"] }
        if name == CommonField.pattern.rawValue, let expression = expression(ofPattern: value) {
            return ["message \(isWanted ? "=~" : "!~") \(FilterText.quoted(expression))"]
        }
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
    private static func expression(ofPattern pattern: String) -> String? {
        let isCut = pattern.hasSuffix("…")
        let parts = (isCut ? String(pattern.dropLast()) : pattern).split(
            separator: " ",
            omittingEmptySubsequences: false
        )
        let words = parts.map { word in
            word.split(separator: MessagePattern.mask, omittingEmptySubsequences: false).map { literal in
                literal.map { "\\.+*?()|[]{}^$".contains($0) ? "\\\($0)" : String($0) }.joined()
            }.joined(separator: ".*")
        }
        return "^\\s*" + words.joined(separator: "\\s+") + (isCut ? "" : "\\s*(\n|$)")
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
