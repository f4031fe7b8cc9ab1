/// A filter of the configuration file, which an operand calls by its name: `@errors`.
struct KeptFilter: Equatable {
    let name: String
    let text: String
    let line: Int

    /// Whether an operand calls a filter by its name. No expression begins like this.
    static func isCalled(by operand: String) -> Bool { operand.unicodeScalars.first == "@" }

    /// - Parameter definition: a line such as `@errors = priority <= err`; `nil` if it is wrong.
    init?(_ definition: String, line: Int) {
        let parts = definition.unicodeScalars.dropFirst().split(
            separator: "=",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2 else { return nil }
        let name = parts[0].prefix { $0 != " " && $0 != "\t" }
        let blanks = parts[0].dropFirst(name.count)
        let text = parts[1].drop { $0 == " " || $0 == "\t" }
        // In `@errors == x` the expression would begin with `=`.
        guard Self.isName(name), blanks.allSatisfy({ $0 == " " || $0 == "\t" }), !text.isEmpty, text.first != "=" else {
            return nil
        }
        self.name = String(name)
        self.text = String(text)
        self.line = line
    }

    private static func isName(_ name: Substring.UnicodeScalarView) -> Bool {
        func isPlain(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) }
        return name.first.map(isPlain) ?? false && name.allSatisfy { isPlain($0) || $0 == "_" || $0 == "-" }
    }
}
