public import Bus
public import DequeModule

/// A bounded queue of values, losses and the end, in which each entry waits until its pace lets it go. It is a value:
/// it knows no timer and no thread.
@frozen
@usableFromInline
struct PacedQueue<Value: Sendable, Failure: Error, Pacing: Pace>: Sendable {
    @frozen
    @usableFromInline
    enum Event: Sendable {
        case next(Value)
        case lost(Int)
        case end(Termination<Failure>)
        /// So many values came while the queue was full, and the closure makes the signal's failure from that number.
        /// The deliverer of the failure calls it, because it is foreign code.
        case overflow(@Sendable (_ lost: Int) -> Failure, lost: Int)
    }

    @frozen
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var event: Event
        @usableFromInline let arrival: Int64

        @inlinable
        init(_ event: Event, _ arrival: Int64) {
            self.event = event
            self.arrival = arrival
        }
    }

    /// The result for an arriving event.
    @frozen
    @usableFromInline
    enum Arrival: Sendable {
        /// It need not wait.
        case passes
        /// It is in the queue; with an instant, set the timer for that. `dropped` is the value that was dropped for it.
        case queued(arm: Int64?, dropped: Value?)
        /// As `queued`, and the queue is full now, or was: the source is to pause.
        case full(arm: Int64?)
        /// Nothing is taken any more. With an instant, set the timer for the entries that are in the queue
        /// because of this.
        case closed(arm: Int64?)
    }

    /// The result that the queue returns to the caller that serves it.
    @frozen
    @usableFromInline
    enum Taken: Sendable {
        case now(Event)
        case later(Int64)
        /// A value is next, and the observer pauses.
        case heldUp
        case nothing
    }

    @usableFromInline var pace: Pacing
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Failure>
    @usableFromInline var entries: Deque<Entry> = []
    @usableFromInline var values = 0
    /// The timer is set, due entries are being sent, or the observer is to call back: each of these looks at the
    /// queue again.
    @usableFromInline var isServed = false
    /// The end is in the queue; nothing comes after it.
    @usableFromInline var isClosed = false
    /// How many values came while the queue was full, if the signal fails because of that.
    @usableFromInline var lostToFailure = 0
    /// The closure that the paused source left to be called.
    @usableFromInline var resume: (@Sendable () -> Void)?

    @inlinable
    init(_ pace: Pacing, limit: Int, overflow: Overflow<Failure>) {
        self.pace = pace
        // A source that is told to pause has sent a value before.
        if case .pause = overflow { self.limit = max(1, limit) } else { self.limit = max(0, limit) }
        self.overflow = overflow
    }

    /// - Parameter isReady: whether the observer would take a value now.
    @inlinable
    mutating func append(_ value: Value, at now: Int64, isReady: Bool = true) -> Arrival {
        guard !isClosed else { return refuse() }
        if pace.letsPass, isReady, !isServed, entries.isEmpty, pace.due(arrival: now, at: now) <= now {
            pace.sent(at: now)
            return .passes
        }
        guard values < limit else { return overflow(with: value, at: now) }
        return enqueue(value, at: now)
    }

    @inlinable
    mutating func enqueue(_ value: Value, at now: Int64, dropped: Value? = nil) -> Arrival {
        values += 1
        entries.append(Entry(.next(value), now))
        let deadline = claim(at: now)
        return values == limit && pausesSource ? .full(arm: deadline) : .queued(arm: deadline, dropped: dropped)
    }

    @inlinable
    var pausesSource: Bool {
        if case .pause = overflow { return true }
        return false
    }

    @usableFromInline
    mutating func refuse() -> Arrival {
        if lostToFailure > 0 { lostToFailure += 1 }
        return .closed(arm: nil)
    }

    @usableFromInline
    mutating func overflow(with value: Value, at now: Int64) -> Arrival {
        switch overflow {
        case .pause:
            appendLoss(of: 1, at: now)
            return .full(arm: claim(at: now))
        case .dropOldest where limit > 0:
            let dropped = dropOldest()
            return enqueue(value, at: now, dropped: dropped)
        case .dropNewest, .dropOldest: return lost(1, at: now)
        case .fail(let makeFailure):
            lostToFailure = 1
            appendEnd(.overflow(makeFailure, lost: 1), at: now)
            return .closed(arm: claim(at: now))
        }
    }

    /// The first value leaves, and a loss takes its place.
    private mutating func dropOldest() -> Value? {
        guard case .next(let dropped)? = entries.loseOldest()?.event else { return nil }
        values -= 1
        return dropped
    }

    @usableFromInline
    mutating func lost(_ count: Int, at now: Int64) -> Arrival {
        guard !isClosed else { return .closed(arm: nil) }
        appendLoss(of: count, at: now)
        return .queued(arm: claim(at: now), dropped: nil)
    }

    private mutating func appendLoss(of count: Int, at now: Int64) {
        entries.appendLoss(of: count, Entry(.lost(count), now))
    }

    @usableFromInline
    mutating func end(_ termination: Termination<Failure>, at now: Int64) -> Arrival {
        guard !isClosed else { return .closed(arm: nil) }
        if pace.letsPass, !isServed, entries.isEmpty {
            isClosed = true
            return .passes
        }
        appendEnd(.end(termination), at: now)
        return .queued(arm: claim(at: now), dropped: nil)
    }

    private mutating func appendEnd(_ end: Event, at now: Int64) {
        isClosed = true
        entries.append(Entry(end, now))
    }

    /// The first entry, if it may go. When nothing is left, nobody serves the queue any more. When it may go only
    /// later, or when the observer is ready, the caller arranges for that.
    ///
    /// - Parameter isReady: whether the observer would take a value now. It takes losses and the end in any case.
    @usableFromInline
    mutating func take(at now: Int64, isReady: Bool = true) -> Taken {
        guard !entries.isEmpty else {
            isServed = false
            return .nothing
        }
        let due = due(at: now)
        guard due <= now, let first = entries.first else { return .later(due) }
        if first.isValue, !isReady { return .heldUp }
        entries.removeFirst()
        if first.isValue {
            values -= 1
            pace.sent(at: now)
        }
        if case .overflow(let makeFailure, _) = first.event { return .now(.overflow(makeFailure, lost: lostToFailure)) }
        return .now(first.event)
    }

    /// Nothing is wanted any more; returns the entries and the closure that would have been called, to be
    /// released without the lock.
    @usableFromInline
    mutating func close() -> (entries: Deque<Entry>, resume: (@Sendable () -> Void)?) {
        isClosed = true
        values = 0
        var rest: Deque<Entry> = []
        swap(&rest, &entries)
        return (rest, resume.take())
    }

    // MARK: Pausing the source

    /// Whether the source is to send nothing for now.
    @usableFromInline
    var isFull: Bool { pausesSource && values >= limit }

    /// Whether a source that was told to pause is to wait until half of the queue is free.
    var isCrowded: Bool { !isClosed && pausesSource && values > limit / 2 }

    /// The closure to call now that the queue has free capacity; returned once.
    mutating func takeResume() -> (@Sendable () -> Void)? {
        guard resume != nil, !isCrowded else { return nil }
        return resume.take()
    }

    /// When the timer is to be set, if nobody serves the queue.
    @inlinable
    mutating func claim(at now: Int64) -> Int64? {
        guard !isServed else { return nil }
        isServed = true
        return due(at: now)
    }

    @inlinable
    mutating func due(at now: Int64) -> Int64 {
        guard let first = entries.first else { return .max }
        return first.isValue
            ? pace.due(arrival: first.arrival, at: now)
            : pace.dueOther(arrival: first.arrival)
    }
}

extension PacedQueue.Entry: QueuedEvent {
    @inlinable
    var isValue: Bool {
        if case .next = event { return true }
        return false
    }

    var loss: Int? {
        get { if case .lost(let count) = event { count } else { nil } }
        set { event = .lost(newValue ?? 0) }
    }
}

extension PacedQueue: ResumeSlot {}
