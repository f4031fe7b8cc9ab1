/// Patterns with `*`, as a shell or a search engine has them.
enum Wildcard {
    /// The call that means the same as the pattern: `.startsWith("nginx")` for `nginx*`.
    ///
    /// - Parameter isImpossible: whether the text with its stars cannot be meant literally. Otherwise only one star
    ///   at either end counts as a pattern.
    static func search(for pattern: String, isImpossible: Bool = true) -> String? {
        let isOpenBefore = pattern.hasPrefix("*")
        let isOpenAfter = pattern.hasSuffix("*")
        let inner = pattern.dropFirst(isOpenBefore ? 1 : 0).dropLast(isOpenAfter && pattern.count > 1 ? 1 : 0)
        guard pattern.contains("*"), !inner.isEmpty else { return nil }
        if inner.contains("*") { return isImpossible ? expression(pattern) : nil }
        let text = LiteralText.print(.string(Array(inner.utf8)))
        switch (isOpenBefore, isOpenAfter) {
        case (true, true): return ".contains(\(text))"
        case (false, true): return ".startsWith(\(text))"
        default: return ".endsWith(\(text))"
        }
    }

    /// The call for a pattern of SQL's `LIKE`, in which `%` is any text.
    static func search(like pattern: String) -> String {
        guard pattern.contains("%") else { return " == \(LiteralText.print(.string(Array(pattern.utf8))))" }
        return search(for: pattern.replacing("%", with: "*")) ?? expression(pattern.replacing("%", with: "*"))
    }

    private static func expression(_ pattern: String) -> String {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false).map(escaped)
        let text = "^\(parts.joined(separator: ".*"))$"
        return " =~ \(LiteralText.print(.string(Array(text.utf8))))"
    }

    private static func escaped(_ text: Substring) -> String {
        text.map { ".+?()[]{}|^$\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
