/// The topics that a subscriber wants: a name in which `*` stands for any one token and `>`, as the last token, for one or
/// more tokens.
///
/// | pattern | matches | does not match |
/// | --- | --- | --- |
/// | `deploy.*` | `deploy.started` | `deploy`, `deploy.web.started` |
/// | `deploy.>` | `deploy.started`, `deploy.web.started` | `deploy` |
/// | `*.started` | `deploy.started` | `deploy.web.started` |
/// | `>` | every topic | |
///
/// These are the wildcards of NATS. Tokens are compared byte for byte.
public struct TopicPattern: Sendable, Hashable {
    let tokens: [TopicToken]

    /// A pattern from outside the program's text.
    ///
    /// - Throws: ``TopicNameError`` when `text` is not a pattern.
    public init(checking text: some StringProtocol) throws(TopicNameError) {
        tokens = try TopicToken.split(text)
        if tokens.dropLast().contains(.rest) {
            throw TopicNameError(String(text), "\">\" must be the last token")
        }
    }

    /// The pattern that matches one topic.
    public init(_ name: TopicName) {
        tokens = name.tokens
    }

    /// Whether `name` is one of the topics that the pattern stands for.
    public func matches(_ name: TopicName) -> Bool {
        let names = name.tokens
        for (index, token) in tokens.enumerated() {
            guard index < names.count else { return false }
            if token == .rest { return true }
            if token != .any, token != names[index] { return false }
        }
        return tokens.count == names.count
    }

    /// Whether there is a name that both patterns match.
    public func overlaps(_ other: TopicPattern) -> Bool {
        for index in 0..<max(tokens.count, other.tokens.count) {
            guard index < tokens.count, index < other.tokens.count else { return false }
            let (mine, its) = (tokens[index], other.tokens[index])
            if mine == .rest || its == .rest { return true }
            if mine != .any, its != .any, mine != its { return false }
        }
        return true
    }

    /// The beginning that all names of the pattern have; `nil` for the pattern of one name.
    package var literalPrefix: String? {
        guard let wildcard = tokens.firstIndex(where: { $0 == .any || $0 == .rest }) else { return nil }
        return tokens[..<wildcard].map { $0.text + "." }.joined()
    }
}

extension TopicPattern: CustomStringConvertible {
    public var description: String { tokens.map(\.text).joined(separator: ".") }
}

extension TopicPattern: ExpressibleByStringLiteral {
    /// A pattern in the program's text. It must be a valid pattern; the program stops otherwise.
    public init(stringLiteral text: StaticString) {
        do {
            try self.init(checking: "\(text)")
        } catch {
            fatalError("\(error)")
        }
    }
}
