public import Bus
import Records
public import Timers

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

    /// A job that the program runs. The list begins with those that run, and then has the order of the next times.
    public struct Job: Sendable, Hashable {
        /// The job's name.
        public let name: String
        /// The calendar; nil for one-shots.
        public let schedule: String?
        /// How many attempts run in the program.
        public let running: Int
        /// How many runs wait for others, for a retry or for their time.
        public let waiting: Int
        /// How many times were left out since the last run.
        public let missed: Int
        /// When the next run is due, on the wall clock; nil if none is.
        public let next: TimerInstant?
        /// How the last run ended: `succeeded`, `failed`, `timed-out`, `cancelled` or `abandoned`. Nil before the first.
        public let last: String?
        /// The time that the last run was for: the calendar's, or the one-shot's.
        public let lastTime: TimerInstant?
        /// `held` by the program, `wanted` and not held, `unreachable`, or `idle`: the program does not need it now. Nil
        /// for a job without a lease.
        public let lease: String?
        /// The number of the grant, while the program holds the lease.
        public let grant: Int?
        /// Who holds a lease that the program wants, such as `web-1/4242` for a host and a process; nil if that is unknown.
        public let holder: String?
        /// Why the job's store cannot be used; nil if it can.
        public let fault: String?
    }

    /// The program's name, from ``TapOptions/product``.
    public let product: String
    /// The program's version, from ``TapOptions/version``; empty if the program does not set it.
    public let version: String
    /// The process that serves the tap.
    public let pid: Int
    /// For how long the tap has been served.
    public let servedFor: Duration
    /// `CLOCK_MONOTONIC` at the moment of the report, as in ``TapEvent/uptime``: how long the machine had run, without its sleep.
    public let uptime: Duration
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
    /// The jobs that the program runs, first those that run at this moment.
    public let jobs: [Job]
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
                // Shown and passed on as it came, one report a line.
                guard reply.parameters.withUnsafeBytes({ JSONValue.isSound($0) }) else {
                    throw .malformedReply(path: path, reason: "its report is not one line of JSON")
                }
                do throws(JSONArguments.WrongType) {
                    return try TapInspection(reply.parameters)
                } catch {
                    let reason = "the member \"\(error.name)\" of its report is missing or of the wrong type"
                    throw .malformedReply(path: path, reason: reason)
                }
            }
    }
}
