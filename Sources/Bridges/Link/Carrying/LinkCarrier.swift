import Bus

/// One connection to where messages are carried. All calls are made on the link's thread, and all events are reported there.
///
/// A carrier whose connection has failed is over; the link makes another.
protocol LinkCarrier: AnyObject, Sendable {
    /// Connects. It reports what happens, later or at once.
    func start()
    /// Whether it takes another message now. If not, it reports ``LinkEvent/ready`` once it does.
    var isReady: Bool { get }
    func send(_ message: LinkMessage, on topic: TopicName)
    /// Whether all messages that were sent are on their way to the server. If not, it reports ``LinkEvent/idle`` once they are. A
    /// carrier that itself serves is always idle; see ``stop(within:then:)``.
    var isIdle: Bool { get }
    /// Ends the connection, and calls `done`, on any thread, when messages that were sent are written. Those that cannot be written at
    /// once may take so long. It reports nothing after that but ``LinkEvent/unsent(_:_:)``.
    func stop(within patience: Duration, then done: @escaping @Sendable () -> Void)
}

/// An event that a carrier reports.
enum LinkEvent: Sendable {
    case connected
    case failed(String)
    case ready
    case idle
    case heard(TopicName, Result<LinkMessage, LinkFlaw>)
    /// A message that was sent is not carried.
    case unsent(TopicName, String)
}

/// The things that a carrier gets from its link.
struct LinkContext: Sendable {
    let thread: ThreadScheduler
    let sender: LinkSender
    /// The topics that are heard.
    let heard: [TopicPattern]
    let options: LinkOptions
    /// Reports an event. Called on the link's thread.
    let report: @Sendable (LinkEvent) -> Void
}

/// How many messages of others may wait for the link's thread, and how many bytes.
let messagesWaiting = 8192
let bytesWaiting = 8 << 20

/// How many messages may be on their way to be sent.
let messagesInFlight = 256
