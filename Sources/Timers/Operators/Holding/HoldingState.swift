/// The state of an operator that holds values back: debounce, throttle, sample, collect. It is a value that is given the
/// time with every event and returns when it wants it again. It knows no timer, no thread and no observer.
///
/// ``HoldingStage`` makes the calls, in this order:
///
/// 1. ``start(at:)`` once, on the subscribing thread, before any other call.
/// 2. For each value ``next(_:at:)`` if the observer is ready, else ``hold(_:at:)``.
/// 3. ``due(at:)`` when ``deadline`` has come and the observer is ready.
/// 4. ``flush()`` when the source has completed and ``atCompletion`` is `flush`, and when a source goes on though the
///    state is full.
///
/// After each call it reads ``isHolding`` and ``deadline``, and sets the timer to the deadline. It sends a returned
/// output at once; nil means that there is none. It drops the state at the source's failure and on cancelling.
///
/// - Threads: every call but `start` is made with the right to deliver, so the calls come one at a time. Values come
///   on the source's thread, or on the thread that delivers at that moment. `due` and `flush` come on the thread of the
///   timer, of the value or end, or of the observer that has called back.
/// - Time: instants are nanoseconds on the scheduler's clock. A value's is read when the value comes, before it waits
///   for the right to deliver, so an instant may be earlier than that of the previous call.
@usableFromInline
protocol HoldingState: Sendable {
    associatedtype Input: Sendable
    associatedtype Output: Sendable

    /// Whether anything is held.
    var isHolding: Bool { get }

    /// When the held values are to be sent; `.max` while none is held, or when they are never to be sent.
    var deadline: Int64 { get }

    /// Whether it has no capacity for another value, so that the source is to pause until the held values were sent.
    /// While it is true, neither `next` nor `hold` is called. A state that keeps one value and lets a later one
    /// replace it is never full.
    var isFull: Bool { get }

    /// The treatment of the held values when the source completes while some are held. With `drop`, values whose
    /// deadline has passed are sent all the same.
    var atCompletion: AtCompletion { get }

    /// The operator's name in a chain, and without its arguments.
    var name: String { get }
    static var name: String { get }

    /// The subscription begins.
    mutating func start(at now: Int64)

    /// Takes a value and returns the output to send now. That may be a held value whose deadline has passed and whose
    /// timer has not fired yet.
    mutating func next(_ value: Input, at now: Int64) -> Output?

    /// Takes a value while the observer pauses: nothing can be sent, not even overdue values.
    mutating func hold(_ value: Input, at now: Int64)

    /// The deadline has come: returns the held output. Called only while something is held. It is called again until
    /// nothing is held or the deadline is later than `now`.
    mutating func due(at now: Int64) -> Output?

    /// Returns the held output whatever its deadline. After it, nothing is held.
    mutating func flush() -> Output?
}

extension HoldingState {
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
