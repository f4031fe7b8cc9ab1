/// A filter's result for one record.
public enum FilterOutcome: Sendable {
    /// The expression is `true` for the record.
    case matched
    /// The expression is `false` for the record.
    case rejected
    /// The expression has no answer for this record, such as `priority < 3` for a record without a priority. It does
    /// not match.
    case failed(EvaluationError)
}
