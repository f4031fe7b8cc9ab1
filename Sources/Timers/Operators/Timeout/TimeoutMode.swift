/// The wait that a timeout limits. Only `total` counts time in which the source is paused.
public enum TimeoutMode: Sendable, Hashable {
    /// From subscribing to the first value; after that there is no limit.
    case first
    /// From subscribing to the first value, and from each value to the next or to the end.
    case between
    /// From subscribing to the end.
    case total
}

extension TimeoutMode {
    /// A timeout's name in a chain.
    @usableFromInline
    func name(_ duration: Duration, of name: String = "timeout", also more: String = "") -> String {
        "\(name)(\(duration)\(self == .between ? "" : ", \(self)")\(more))"
    }
}
