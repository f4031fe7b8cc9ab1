public import Bus

/// The report of a tap about the program that serves it, at one moment.
public struct TapInspection: Sendable {
    /// A topic of the bus. The list is in the order of the names.
    public struct Topic: Sendable, Hashable {
        /// The name in full: `deploy.finished`.
        public let name: String
        /// The name of the type of its values.
        public let type: String
        /// How many values were posted.
        public let posted: Int
        /// How many have subscribed to it by its name.
        public let subscribers: Int
        /// How many have subscribed to a pattern that matches it.
        public let patternSubscribers: Int
        /// How many values are kept for newcomers.
        public let kept: Int
        /// How many values the topic lost because too many waited while another was being delivered. Losses in a
        /// subscriber's queue are counted in ``TapInspection/Subscriber/lost``.
        public let lost: Int
    }

    /// A subscriber of the bus. The list begins with those that lost most or lag most.
    public struct Subscriber: Sendable, Hashable {
        /// The topic or the pattern.
        public let topic: String
        /// The names of the child buses that it subscribed to.
        public let scope: String
        /// The place where it subscribed.
        public let file: String
        /// The line in ``file``.
        public let line: Int
        /// How many values wait for it.
        public let waiting: Int
        /// How many values may wait for it.
        public let limit: Int
        /// The most values that ever waited for it at a time.
        public let highWater: Int
        /// For how long it has paused; nil when it does not.
        public let paused: Duration?
        /// The age of the oldest value that waits for it; nil when none does.
        public let lag: Duration?
        /// How many values its queue has lost.
        public let lost: Int
        /// How many values it was sent, where that is known.
        public let delivered: Int?
    }

    /// A subscription of the program to any signal.
    public struct Subscription: Sendable, Hashable {
        /// The description of its signal, such as `property → changes`, cut off after 1,024 bytes.
        public let chain: String
        /// The place where it subscribed: the module and the file's name.
        public let file: String
        /// The line in ``file``.
        public let line: Int
    }

    /// A client that watches.
    public struct Watch: Sendable, Hashable {
        /// The client's process when it connected, as the kernel tells it.
        public let pid: Int
        /// The user that the process ran as when it connected, as the kernel tells it.
        public let uid: Int
        /// The topics that it watches; `>` for all.
        public let pattern: String
        /// How many events it was sent.
        public let sent: Int
        /// How many events it missed, whatever the reason.
        public let lost: Int
        /// How many bytes wait to be sent to it.
        public let waiting: Int
    }

    /// The program's name, from ``TapOptions/product``.
    public let product: String
    /// The program's version, from ``TapOptions/version``; empty if the program does not set it.
    public let version: String
    /// The process that serves the tap.
    public let pid: Int
    /// For how long the tap has been served.
    public let uptime: Duration
    /// The clock of the program's machine, in nanoseconds since it started.
    public let now: Int
    /// How many timers are pending.
    public let timers: Int
    /// How many subscriptions to any signal there are.
    public let subscriptionCount: Int
    /// How many values were lost in subscriptions that do not listen to losses.
    public let unheardLosses: Int
    /// The topics of the bus, by name.
    public let topics: [Topic]
    /// The subscribers of the bus, first those that lost most or lag most.
    public let subscribers: [Subscriber]
    /// In the order in which they were made. A release build lists those made after `Subscriptions.startListing()`.
    public let subscriptions: [Subscription]
    /// The watches of all clients of the tap.
    public let watches: [Watch]
    /// Whether one of the lists was longer than a reply may be.
    public let isCut: Bool
    /// The reply, as the tap sent it.
    public let json: [UInt8]
}

extension TapClient {
    /// Asks the program for its state. Cold; see ``replies(to:parameters:wantsMore:on:)``.
    ///
    /// - Parameter scheduler: where the reply is read.
    public func inspection(
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<TapInspection, TapClientError> {
        replies(to: "\(TapInterface.name).Inspect", on: scheduler)
            .attemptMap { [path] (reply: TapReply) throws(TapClientError) in
                do throws(JSONArguments.WrongType) {
                    return try TapInspection(reply.parameters)
                } catch {
                    let reason = "the member \"\(error.name)\" of its report is missing or of the wrong type"
                    throw .malformedReply(path: path, reason: reason)
                }
            }
    }
}
