#if ServiceLifecycle
    /// The values that a service did not handle in time after it was asked to end.
    public struct UndrainedService: Sendable, Hashable, CustomStringConvertible {
        /// The service's name.
        public let service: String
        /// Values that were taken from the signal and not handled to the end.
        public let values: Int
        /// The reason why no more time was given.
        public let reason: Reason

        /// For tests: a report to compare with a service's.
        public init(service: String, values: Int, reason: Reason) {
            self.service = service
            self.values = values
            self.reason = reason
        }

        /// Why a service stopped handling values, or waiting for subscribers, before all was done.
        public enum Reason: Sendable, Hashable, CustomStringConvertible {
            /// The deadline of the graceful shutdown has passed.
            case deadline(Duration)
            /// The task was cancelled.
            case cancelled
            /// Handling a value failed.
            case failed

            /// The end of a sentence that describes the rest.
            public var description: String {
                switch self {
                case .deadline(let time): "\(time) after it was asked to end"
                case .cancelled: "when it was cancelled"
                case .failed: "when it failed"
                }
            }
        }

        public var description: String { "\(service): \(values) values were not handled \(reason)" }
    }
#endif
