public import Bus

/// The report of a tap about the program that serves it, at one moment.
public struct TapInspection: Sendable {
    public struct Topic: Sendable, Hashable {
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
        public let line: Int
        /// How many values wait for it, how many may, and how many did at most.
        public let waiting: Int
        public let limit: Int
        public let highWater: Int
        /// For how long it has paused; nil when it does not.
        public let paused: Duration?
        /// The age of the oldest value that waits for it; nil when none does.
        public let lag: Duration?
        public let lost: Int
        /// How many values it was sent, where that is known.
        public let delivered: Int?
    }

    /// A subscription of the program to any signal.
    public struct Subscription: Sendable, Hashable {
        public let chain: String
        public let file: String
        public let line: Int
    }

    /// A client that watches.
    public struct Watch: Sendable, Hashable {
        public let pid: Int
        public let uid: Int
        public let pattern: String
        /// How many events it was sent, how many it missed, and how many bytes wait for it.
        public let sent: Int
        public let lost: Int
        public let waiting: Int
    }

    public let product: String
    public let version: String
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
    public let topics: [Topic]
    public let subscribers: [Subscriber]
    public let subscriptions: [Subscription]
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
