/// The name of a topic: one or more tokens joined by dots, as in `deploy.finished`.
///
/// A token is one or more visible ASCII characters other than `.`, `*` and `>`. A name has at most 255 bytes and 32 tokens.
/// These are the names that NATS accepts as subjects, so that a topic can be carried there unchanged.
public struct TopicName: Sendable {
    /// The longest name, in bytes.
    public static let maxLength = 255
    /// The most tokens a name may have.
    public static let maxTokens = 32

    @usableFromInline let storage: Storage

    /// A name from outside the program's text.
    ///
    /// - Throws: ``TopicNameError`` when `text` is not a topic name.
    public init(checking text: some StringProtocol) throws(TopicNameError) {
        let tokens = try TopicToken.split(text)
        for token in tokens where token.isWildcard {
            throw TopicNameError(String(text), "\"\(token.text)\" is a wildcard; only patterns have wildcards")
        }
        storage = Storage(tokens)
    }

    /// The name as text.
    public var text: String { storage.text }

    var tokens: [TopicToken] { storage.tokens }

    /// Shared by all copies, so that copying a name counts one reference.
    @usableFromInline
    final class Storage: Sendable {
        let text: String
        let tokens: [TopicToken]
        /// Computed once, because a name is looked up for every event that is posted by name.
        let hash: Int

        init(_ tokens: [TopicToken]) {
            self.tokens = tokens
            text = tokens.map(\.text).joined(separator: ".")
            hash = text.hashValue
        }
    }
}

extension TopicName: Hashable {
    public static func == (a: TopicName, b: TopicName) -> Bool {
        a.storage === b.storage || (a.storage.hash == b.storage.hash && a.storage.text == b.storage.text)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }
}

extension TopicName: Comparable {
    public static func < (a: TopicName, b: TopicName) -> Bool { a.text < b.text }
}

extension TopicName: CustomStringConvertible {
    public var description: String { text }
}

extension TopicName: ExpressibleByStringLiteral {
    /// A name in the program's text. It must be a valid name; the program stops otherwise.
    public init(stringLiteral text: StaticString) {
        do {
            try self.init(checking: "\(text)")
        } catch {
            fatalError("\(error)")
        }
    }
}

/// Why a text is not a topic name or not a pattern.
public struct TopicNameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text that was refused; at most 255 characters of it.
    public let text: String
    /// A description of the mistake.
    public let reason: String

    init(_ text: String, _ reason: String) {
        self.text = String(text.prefix(TopicName.maxLength))
        self.reason = reason
    }

    public var description: String { "\(text.debugDescription) is not a topic name: \(reason)" }
}
