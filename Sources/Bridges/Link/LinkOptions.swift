import Bus
public import TapBridge
public import Timers

/// How a link behaves.
public struct LinkOptions: Sendable {
    /// The program's name for the others; nil for that of its file.
    public var program: String?

    /// How many values of each topic may wait to be sent: while there is no connection, or when they are posted faster than they
    /// are sent. Beyond that the oldest is left out, counted and reported.
    public var limit = 1024

    /// How many bytes of JSON a value may have, sent or heard: at most ``maxValueSize``. A larger one is left out and reported.
    public var valueSize = maxValueSize

    /// What any carrier takes: a message of a tap has 64 KiB with the headers.
    public static let maxValueSize = 56 << 10

    /// How long to wait before each attempt to connect.
    public var backoff = Backoff.exponential(from: .milliseconds(100), upTo: .seconds(5))

    /// Called on the thread that posts, for each value that is sent: the trace that the value belongs to. It must be quick.
    public var traceparent: (@Sendable () -> TraceParent?)?

    /// The clients of the socket that this program serves, and the limits for each. Values are not hidden by `TapOptions.redact`.
    public var tap = TapOptions()

    /// How many pairs of a sender and a topic the link remembers at least, to find what is missing. Beyond that it forgets those that
    /// have been silent for longest, and what is missing before their next value is not counted.
    public var senders = 16_384

    /// The defaults. Those of ``tap`` let one user have all connections, because each program has two.
    public init() {
        // Each program has two connections.
        tap.connectionsPerUser = tap.connections
    }

    var boundedValueSize: Int { min(max(2, valueSize), Self.maxValueSize) }
}
