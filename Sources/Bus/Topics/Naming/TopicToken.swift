/// One token of a topic name or pattern, with its hash computed once.
struct TopicToken: Hashable, Sendable {
    /// Stands for any one token.
    static let any = TopicToken("*")
    /// Stands for one or more tokens, up to the end of the name.
    static let rest = TopicToken(">")

    let text: String
    private let hash: Int

    init(_ text: String) {
        self.text = text
        hash = text.hashValue
    }

    var isWildcard: Bool { self == .any || self == .rest }

    static func == (a: TopicToken, b: TopicToken) -> Bool { a.hash == b.hash && a.text == b.text }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// The tokens of a name or pattern.
    static func split(_ text: some StringProtocol) throws(TopicNameError) -> [TopicToken] {
        let text = String(text.prefix(TopicName.maximumLength + 1))
        guard !text.isEmpty else { throw TopicNameError(text, "it is empty") }
        guard text.utf8.count <= TopicName.maximumLength else {
            throw TopicNameError(text, "it has more than \(TopicName.maximumLength) bytes")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= TopicName.maximumTokens else {
            throw TopicNameError(text, "it has more than \(TopicName.maximumTokens) tokens")
        }
        var tokens: [TopicToken] = []
        for part in parts {
            if part.isEmpty { throw TopicNameError(text, "a token is empty") }
            for byte in part.utf8 where byte <= 0x20 || byte >= 0x7f {
                throw TopicNameError(text, "only visible ASCII characters are allowed")
            }
            if part.count > 1, part.contains(where: { $0 == "*" || $0 == ">" }) {
                throw TopicNameError(text, "a wildcard must be a token of its own")
            }
            tokens.append(TopicToken(String(part)))
        }
        return tokens
    }
}
