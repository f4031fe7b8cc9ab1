/// When the entries of a ``WaitingLine`` may go. Instants are nanoseconds on the scheduler's clock.
@usableFromInline
protocol Pace: Sendable {
    /// Whether a value that may go when it comes, with nothing before it, need not stand in line at all.
    var letsPass: Bool { get }

    /// The operator's name in a chain.
    var name: String { get }

    /// When the first value in line, which came at `arrival`, may go.
    mutating func due(arrival: Int64, at now: Int64) -> Int64

    /// When an end or a loss that is first in line may be sent.
    func dueOther(arrival: Int64) -> Int64

    /// A value went.
    mutating func sent(at now: Int64)
}
