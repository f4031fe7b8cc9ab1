/// What goes wrong with a call of a ``TestJobStore`` or a ``TestJobLease``.
public enum TestJobError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call has its effect at once, and its answer comes after that time.
    case late(Duration)
    /// The call has its effect, and throws.
    case lost
    /// The call has no effect, and throws.
    case refused

    public var description: String {
        switch self {
        case .late(let duration): "the answer comes \(duration) late"
        case .lost: "the answer is lost"
        case .refused: "refused by the test"
        }
    }
}

/// The faults of the next calls, in their order.
struct TestJobFaults: Sendable {
    private var next: [TestJobError?] = []

    mutating func add(_ faults: [TestJobError?]) { next += faults }

    mutating func take() -> TestJobError? { next.isEmpty ? nil : next.removeFirst() }
}
