/// Decides what follows when one subscription to a source has ended: another one, or the end.
@usableFromInline
protocol RoundRule<InputFailure, Failure>: Sendable {
    associatedtype InputFailure: Error
    associatedtype Failure: Error

    /// The end to pass on; nil asks for another round.
    mutating func ended(_ termination: Termination<InputFailure>) -> Termination<Failure>?

    /// Whether there is to be a first round.
    var wantsRound: Bool { get }

    /// The operator's name in a ``Chain``.
    var name: String { get }
}

extension RoundRule {
    @inlinable
    var wantsRound: Bool { true }
}
