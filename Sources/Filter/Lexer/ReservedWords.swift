/// Words that CEL reserves. They may not be names of their own, but may be members: `x.for` is fine.
enum ReservedWords {
    static let all: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
        "namespace",
        "return", "var", "void", "while",
    ]

    /// These have a meaning, and may not even be members.
    static let literals: Set<String> = ["true", "false", "null", "in"]
}
