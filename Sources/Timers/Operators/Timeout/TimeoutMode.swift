/// Which wait a timeout limits.
public enum TimeoutMode: Sendable, Hashable {
    /// From subscribing to the first value; after that there is no limit.
    case first
    /// From subscribing to the first value, and from each value to the next or to the end.
    case between
    /// From subscribing to the end.
    case total
}
