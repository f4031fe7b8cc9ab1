/// What an operator that holds values back does with them: a value that is told the time with everything that happens
/// and says when it wants to be told again. It knows no timer, no thread and no observer.
///
/// Instants are nanoseconds on the scheduler's clock.
@usableFromInline
protocol HoldingStep: Sendable {
    associatedtype Input: Sendable
    associatedtype Output: Sendable

    /// Whether anything is held.
    var isHolding: Bool { get }

    /// When what is held is to be sent; `.max` while nothing is, or when that is never.
    var deadline: Int64 { get }

    /// Whether it has no room for another value, so that the source is to pause until what is held was sent. What keeps one
    /// value and lets a later one take its place always has room.
    var isFull: Bool { get }

    /// What becomes of what is held when the source completes.
    var atCompletion: AtCompletion { get }

    /// What the operator is called in a chain.
    var name: String { get }

    /// The subscription begins.
    mutating func start(at now: Int64)

    /// Takes a value and answers what is to be sent now. That may be what was held, when its deadline has passed and
    /// nobody came to say so.
    mutating func next(_ value: Input, at now: Int64) -> Output?

    /// Takes a value while the observer has no room: nothing can be sent, not even what is overdue.
    mutating func hold(_ value: Input, at now: Int64)

    /// The deadline has come: answers what was held.
    mutating func due(at now: Int64) -> Output?

    /// Answers what is held ahead of its time; the source has completed.
    mutating func flush() -> Output?
}

extension HoldingStep {
    @inlinable
    var isFull: Bool { false }

    @inlinable
    mutating func start(at now: Int64) {}
}
