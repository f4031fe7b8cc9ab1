/// A filter's result for one record.
public enum FilterOutcome: Sendable {
    case matched
    case rejected
    /// The expression has no answer for this record, such as `priority < 3` for a record without a priority. It does
    /// not match.
    case failed(EvaluationError)
}
