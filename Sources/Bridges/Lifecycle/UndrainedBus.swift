#if ServiceLifecycle
    public import Bus

    /// The subscribers of a bus that were not done when the bus's service ended.
    public struct UndrainedBus: Sendable, Hashable, CustomStringConvertible {
        /// The service's name.
        public let service: String
        /// The subscribers, with the number of values that waited for each, in the order in which they subscribed.
        public let subscribers: [SubscriberBacklog]
        /// The reason why no more time was given.
        public let reason: UndrainedService.Reason

        /// For tests: a report to compare with that of a bus's service.
        public init(service: String, subscribers: [SubscriberBacklog], reason: UndrainedService.Reason) {
            self.service = service
            self.subscribers = subscribers
            self.reason = reason
        }

        /// A line for a log, which names the first ten.
        public var description: String {
            let names = subscribers.prefix(10).map { "\($0)" }.joined(separator: ", ")
            let others = subscribers.count > 10 ? ", and \(subscribers.count - 10) others" : ""
            return "\(service): subscribers were not done \(reason): \(names)\(others)"
        }
    }
#endif
