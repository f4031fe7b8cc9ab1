/// A timer that was scheduled: cancels it or gives it another deadline, from any thread.
///
/// It is four words, without an allocation of its own; it keeps neither the scheduler nor the timer's work alive.
/// When the scheduler is freed, its timers are, too.
public struct TimerHandle: Sendable {
    private let owner: any TimerOwner
    private let token: TimerToken

    /// For schedulers of your own.
    public init(owner: any TimerOwner, token: TimerToken) {
        self.owner = owner
        self.token = token
    }

    /// Cancels the timer. Its work is released before this returns, and its memory is free.
    ///
    /// On the scheduler's thread the work does not run after this; from another thread it may be running just now.
    /// Does nothing when the timer has run or was cancelled.
    public func cancel() { owner.cancelTimer(token) }

    /// Gives the timer another deadline. A later deadline is only stored. The timer then orders as if it were
    /// scheduled now.
    ///
    /// - Returns: false when the timer has run, is running, or was cancelled; then nothing happens.
    @discardableResult
    public func reschedule(to deadline: TimerInstant) -> Bool { owner.rescheduleTimer(token, to: deadline) }
}

/// The owner of a timer, which its handle calls: the scheduler that made it, or a proxy. For schedulers of your own.
public protocol TimerOwner: AnyObject, Sendable {
    /// See ``TimerHandle/cancel()``. A token of a timer that is gone is ignored.
    func cancelTimer(_ token: TimerToken)

    /// See ``TimerHandle/reschedule(to:)``. Returns false for a token of a timer that is gone.
    func rescheduleTimer(_ token: TimerToken, to deadline: TimerInstant) -> Bool
}

/// Names one timer of the wheel that scheduled it, for as long as it is scheduled.
///
/// A token never refers to another timer: the slot in the wheel's storage is reused, the identity is not.
public struct TimerToken: Sendable, Hashable {
    /// Where the timer is stored.
    public let index: Int32
    /// The identity of the timer among all that were ever stored there; never zero for a timer.
    public let identity: UInt64

    /// A scheduler of your own may store any values with which it finds the timer again.
    public init(index: Int32, identity: UInt64) {
        self.index = index
        self.identity = identity
    }

    /// A wheel's indices have so many bits; the three above are free for the number of the wheel.
    static var indexBits: Int32 { 28 }
}
