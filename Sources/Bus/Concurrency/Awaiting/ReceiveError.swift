/// Why a task that waits for values got something else.
///
/// Every form of waiting follows one rule: `firstValue`, `lastValue`, `collected` and the loop over `values()` throw
/// for every event that is neither a value nor the normal end. A caller that accepts losses says so in the chain,
/// with ``Signal/ignoreLosses()``, or gives `values` a `lost` closure.
public enum ReceiveError<Failure: Error>: Error {
    /// The signal failed.
    case failed(Failure)
    /// This many values are missing in this place: they were dropped upstream, because a queue was full.
    case lost(Int)
    /// The waiting task was cancelled. The subscription is over.
    case cancelled
    /// The source was dropped without an end. No value and no end can come any more.
    case abandoned
}

extension ReceiveError: Equatable where Failure: Equatable {}

extension ReceiveError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .failed(let failure): "the signal failed: \(failure)"
        case .lost(1): "1 value was dropped before it could be received, because a queue was full"
        case .lost(let count): "\(count) values were dropped before they could be received, because a queue was full"
        case .cancelled: "the task that waited for the signal was cancelled"
        case .abandoned: "the signal's source was dropped without an end"
        }
    }
}
