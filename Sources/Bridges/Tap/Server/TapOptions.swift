public import Bus
public import Filter
public import Glibc

/// The clients that may look into a program through a tap, the values they may see, and the limits for each.
public struct TapOptions: Sendable {
    /// Users whose processes may connect: this process's and root by default.
    public var users: Set<uid_t> = [geteuid(), 0]

    /// Groups whose members' processes may connect, too.
    public var groups: Set<gid_t> = []

    /// The mode of the socket's file. By default 0600; and 0666 when ``users`` or ``groups`` admit others, because
    /// then the kernel's information about the client decides, and not the file's mode.
    public var mode: mode_t?

    /// Connections at the same time.
    public var connections = 128

    /// Connections at the same time of one user.
    public var connectionsPerUser = 32

    /// A connection on which no watch runs is closed when no complete message has come for so long.
    public var messageTimeout = Duration.seconds(30)

    /// How many events a watch gets that does not give a number.
    public var count = 1_000_000

    /// How long a watch lasts that does not give a duration.
    public var duration = Duration.seconds(3600)

    /// Bytes that may wait for a client that does not give a number.
    public var buffer = 1 << 20

    /// The most bytes that may wait for a client.
    public var bufferLimit = 16 << 20

    /// How many posted values may wait, for each watch, to be looked at by the tap's thread.
    public var queue = 8192

    /// Bytes of JSON that a value may have. A larger one is left out and marked as truncated.
    public var valueSize = 64 << 10

    /// Objects and lists within each other that a value may have.
    public var valueDepth = 64

    /// The share of a processor that each connection may take on average, in the tap's thread, for its calls and its
    /// watch. A watch that takes more misses events, and is notified. Calls that take more wait; compiling the filter of a
    /// watch is part of its call.
    public var processorShare = 0.8

    /// The limits for a filter.
    public var filterLimits: FilterLimits = {
        var limits = FilterLimits()
        limits.length = 4096
        limits.loopNesting = 2
        limits.cost = 200_000
        limits.averageCost = 5000
        limits.memory = 1 << 20
        limits.regularExpressionMemory = 2 << 20
        limits.regularExpressionSize = 10_000
        return limits
    }()

    /// Hides parts of values. It is called for every member and element with the topic and the part's path, such as
    /// `["user", "password"]` or `["cards", "0"]`, and first for the whole value, with an empty path. A part for
    /// which it returns true is shown as `<redacted>`, also to a filter.
    ///
    /// Values that are not `Encodable` have no parts: only the empty path hides them.
    ///
    /// It runs on the tap's thread.
    public var redact: (@Sendable (_ topic: TopicName, _ path: [String]) -> Bool)?

    /// Called, on the tap's thread, with a line about each client that was refused or cut off, naming its process and user. At most ten lines a second.
    public var log: (@Sendable (String) -> Void)?

    /// The program's name for clients.
    public var product = "busctl-rx"
    /// The program's version for clients; empty for none.
    public var version = ""

    /// Lets a filter read the largest value of every event. Reading costs a unit a byte, and memory for each part of the value.
    package mutating func letFiltersReadLargeValues() {
        let enough = FilterLimits()
        filterLimits.cost = max(filterLimits.cost, enough.cost)
        filterLimits.averageCost = max(filterLimits.averageCost, enough.averageCost)
        filterLimits.memory = max(filterLimits.memory, enough.memory)
    }

    var postings: [TopicName: @Sendable (NotificationBus, [UInt8]) throws -> Void] = [:]

    /// Called, on the tap's thread, with what a client posts on a topic for which ``allowPosting(on:decode:)`` was not called.
    package var postElsewhere: (@Sendable (_ topic: TopicName, _ json: [UInt8]) throws -> Void)?

    /// The defaults: only this process's user and root may connect, and nobody may post.
    public init() {}

    /// Lets clients post on a topic. The topic's subscribers hear such a value on the tap's thread.
    ///
    /// - Parameters:
    ///   - topic: the topic.
    ///   - decode: makes a value from the JSON that a client sent, which may be any bytes. Its errors are sent to the
    ///     client. It runs on the tap's thread.
    public mutating func allowPosting<Value: Sendable>(
        on topic: Topic<Value>,
        decode: @escaping @Sendable (_ json: [UInt8]) throws -> Value
    ) {
        postings[topic.name] = { bus, json in bus.post(try decode(json), to: topic) }
    }

    /// The longest message that a client may send, in bytes.
    public static let maxMessageSize = 64 << 10

    var bounds: EncodingBounds {
        var bounds = EncodingBounds()
        bounds.size = max(16, valueSize)
        bounds.depth = max(1, valueDepth)
        bounds.redact = redact
        return bounds
    }

    var fileMode: mode_t { mode ?? (groups.isEmpty && users.isSubset(of: [geteuid(), 0]) ? 0o600 : 0o666) }

    func admits(_ peer: TapPeer) -> Bool { users.contains(peer.user) || !groups.isDisjoint(with: peer.groups) }
}
