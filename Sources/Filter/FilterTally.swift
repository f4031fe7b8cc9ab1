import Synchronization

/// Counts a filter's results, so that an expression that has no answer for many records is noticed: errors are no
/// match, and would otherwise go unseen. One tally may be shared by any number of threads.
public final class FilterTally: Sendable {
    private let matchedCount = Atomic<Int>(0)
    private let rejectedCount = Atomic<Int>(0)
    private let failedCount = Atomic<Int>(0)
    private let error = Mutex<EvaluationError?>(nil)

    /// Counts from zero.
    public init() {}

    /// Records for which the filter's value was `true`.
    public var matched: Int { matchedCount.load(ordering: .relaxed) }

    /// Records for which it was `false`.
    public var rejected: Int { rejectedCount.load(ordering: .relaxed) }

    /// Records for which it had no answer.
    public var failed: Int { failedCount.load(ordering: .relaxed) }

    /// The reason why it had no answer for the first of those.
    public var firstError: EvaluationError? { error.withLock { $0 } }

    /// Counts the outcome, and returns whether it is a match.
    public func count(_ outcome: FilterOutcome) -> Bool {
        switch outcome {
        case .matched:
            matchedCount.add(1, ordering: .relaxed)
            return true
        case .rejected: rejectedCount.add(1, ordering: .relaxed)
        case .failed(let error):
            if failedCount.add(1, ordering: .relaxed).oldValue == 0 { self.error.withLock { $0 = error } }
        }
        return false
    }
}
