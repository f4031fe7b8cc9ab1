/// The logic of an operator that holds values back. It is a value that is told the time with every event and returns
/// when it wants to be told again. It knows no timer, no thread and no observer.
///
/// Instants are nanoseconds on the scheduler's clock.
@usableFromInline
protocol HoldingStep: Sendable {
    associatedtype Input: Sendable
    associatedtype Output: Sendable

    /// Whether anything is held.
    var isHolding: Bool { get }

    /// When the held values are to be sent; `.max` while none is held, or when they are never to be sent.
    var deadline: Int64 { get }

    /// Whether it has no room for another value, so that the source is to pause until the held values were sent. A
    /// step that keeps one value and lets a later one replace it always has room.
    var isFull: Bool { get }

    /// The treatment of the held values when the source completes.
    var atCompletion: AtCompletion { get }

    /// The operator's name in a chain.
    var name: String { get }

    /// The subscription begins.
    mutating func start(at now: Int64)

    /// Takes a value and returns the output to send now. That may be a held value whose deadline has passed and whose
    /// timer has not fired yet.
    mutating func next(_ value: Input, at now: Int64) -> Output?

    /// Takes a value while the observer has no room: nothing can be sent, not even overdue values.
    mutating func hold(_ value: Input, at now: Int64)

    /// The deadline has come: returns the held output.
    mutating func due(at now: Int64) -> Output?

    /// Returns the held output ahead of its time, because the source has completed.
    mutating func flush() -> Output?
}

extension HoldingStep {
    @inlinable
    var isFull: Bool { false }

    @inlinable
    mutating func start(at now: Int64) {}
}

/// The treatment of a held value when the source completes.
///
/// A failure does not wait: the held value is dropped, and the failure is heard at once.
public enum AtCompletion: Sendable, Hashable {
    /// The value is sent at once, and then the completion.
    case flush
    /// The value is sent when its time comes, and then the completion.
    case wait
    /// The value is dropped, and the completion is heard at once.
    case drop
}
