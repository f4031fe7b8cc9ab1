/// Which wait a timeout limits. Time in which the source is paused counts in total alone.
public enum TimeoutMode: Sendable, Hashable {
    /// From subscribing to the first value; after that there is no limit.
    case first
    /// From subscribing to the first value, and from each value to the next or to the end.
    case between
    /// From subscribing to the end.
    case total
}

extension TimeoutMode {
    /// What a timeout is called in a chain.
    @usableFromInline
    func name(_ duration: Duration, of name: String = "timeout", also more: String = "") -> String {
        "\(name)(\(duration)\(self == .between ? "" : ", \(self)")\(more))"
    }
}
