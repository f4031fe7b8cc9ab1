#if ServiceLifecycle
    /// What a service that was asked to end did not get done in time.
    public struct Undrained: Sendable, Hashable, CustomStringConvertible {
        /// The service's name.
        public let service: String
        /// Values that were taken from the signal and not handled to the end.
        public let values: Int
        /// Why no more time was given.
        public let reason: Reason

        public init(service: String, values: Int, reason: Reason) {
            self.service = service
            self.values = values
            self.reason = reason
        }

        public enum Reason: Sendable, Hashable, CustomStringConvertible {
            /// The deadline of the graceful shutdown has passed.
            case deadline(Duration)
            /// The task was cancelled.
            case cancelled
            /// Handling a value failed.
            case failed

            /// The end of a sentence that says what was left.
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
