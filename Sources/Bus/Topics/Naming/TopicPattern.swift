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
            preconditionFailure("\(error)")
        }
    }
}
