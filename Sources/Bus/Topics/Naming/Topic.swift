/// A name under which values of one type are posted on a bus, and the number of values kept for newcomers.
///
/// A topic is a value that both sides name. So the compiler checks the type on both sides, and a search finds every place
/// where a topic is used:
///
/// ```swift
/// import Bus
///
/// struct Deployment: Sendable {
///     var version: String
/// }
///
/// extension Topic where Value == Deployment {
///     static let deployFinished = Topic("deploy.finished", keeping: .last)
/// }
///
/// let bus = NotificationBus()
/// let subscription = bus.signal(for: .deployFinished).subscribe(next: { print($0.version) })
/// bus.post(Deployment(version: "1.2"), to: .deployFinished)
/// ```
///
/// A bus has one topic of a name. Using the name there with another type of values, or with another ``TopicRetention``, is a
/// mistake in the program, and stops it with a message that names both.
public struct Topic<Value: Sendable>: Sendable, Hashable, CustomStringConvertible {
    /// The name on the bus. Two topics of one name are one topic there.
    public let name: TopicName
    /// How many values a bus keeps of this topic for later subscribers.
    public let retention: TopicRetention

    /// A topic that is named in the program's text.
    ///
    /// - Parameters:
    ///   - name: a valid ``TopicName``; the program stops otherwise.
    ///   - retention: how many values a bus keeps for later subscribers.
    public init(_ name: TopicName, keeping retention: TopicRetention = .nothing) {
        self.name = name
        self.retention = retention
    }

    /// A topic with a name from outside the program's text.
    ///
    /// A bus keeps no trace of a topic that has no subscriber, no poster and no kept values. So names that outsiders choose
    /// take memory only as long as the program uses them.
    ///
    /// - Throws: ``TopicNameError`` when `name` is not a topic name.
    public init(checking name: some StringProtocol, keeping retention: TopicRetention = .nothing) throws(TopicNameError)
    {
        self.init(try TopicName(checking: name), keeping: retention)
    }

    public var description: String { name.text }
}

/// How many values of a topic a bus keeps for later subscribers.
public struct TopicRetention: Sendable, Hashable, CustomStringConvertible {
    /// The most values that can be kept.
    public static let maxCount = 65_536

    /// How many values are kept.
    public let count: Int

    /// Nothing. A subscriber hears only values that are posted after it subscribed.
    public static let nothing = TopicRetention(count: 0)

    /// The value that was posted last.
    public static let last = TopicRetention(count: 1)

    /// The values that were posted last.
    ///
    /// - Parameter count: how many, from 1 to ``maxCount``; other numbers are clamped to this range.
    public static func last(_ count: Int) -> TopicRetention {
        TopicRetention(count: min(max(count, 1), maxCount))
    }

    public var description: String {
        switch count {
        case 0: "nothing"
        case 1: "the last value"
        default: "the last \(count) values"
        }
    }
}

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
        let text = String(text.prefix(TopicName.maxLength + 1))
        guard !text.isEmpty else { throw TopicNameError(text, "it is empty") }
        guard text.utf8.count <= TopicName.maxLength else {
            throw TopicNameError(text, "it has more than \(TopicName.maxLength) bytes")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= TopicName.maxTokens else {
            throw TopicNameError(text, "it has more than \(TopicName.maxTokens) tokens")
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
