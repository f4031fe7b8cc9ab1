public import DequeModule

/// The events and actions that wait while another is being delivered, or until there is room below; and the closures
/// to call when fewer wait. Guarded by the lock of the ``SerialObserver`` that has it.
@frozen
@usableFromInline
struct PendingEvents<Downstream: Observer & ~Copyable>: Sendable {
    @frozen
    @usableFromInline
    enum Entry: Sendable {
        case next(Downstream.Value)
        /// An input that counts as a value but is more than one.
        case input(@Sendable (inout Downstream) -> Demand)
        /// An input of which only the latest before a value matters.
        case update(@Sendable (inout Downstream) -> Demand)
        case lost(Int)
        case terminate(Termination<Downstream.Failure>)
        case perform(@Sendable (inout Downstream?, Termination<Downstream.Failure>?) -> Void)
        case abandon

        @usableFromInline
        var countsAsValue: Bool {
            switch self {
            case .next, .input: true
            case .update, .lost, .terminate, .perform, .abandon: false
            }
        }
    }

    /// An entry, and the thread that enqueued it.
    @frozen
    @usableFromInline
    struct Waiting: Sendable {
        @usableFromInline var entry: Entry
        @usableFromInline let thread: UInt
    }

    @usableFromInline var waiting: Deque<Waiting> = []
    /// Waiting values; ends, losses and actions do not count towards the limit.
    @usableFromInline var values = 0
    /// The most values that ever waited at a time.
    @usableFromInline var highWater = 0
    /// Values that found no room, in all.
    @usableFromInline var lost = 0
    /// How many of these since the queue failed because of them.
    @usableFromInline var lostToFailure = 0
    /// The closures that paused senders left to be called, by the order in which they came.
    @usableFromInline var resumes: [UInt64: @Sendable () -> Void] = [:]
    /// How many came.
    @usableFromInline var requests: UInt64 = 0
    /// How many values were taken out since the present deliverer began.
    @usableFromInline var taken = 0

    @usableFromInline
    init() {}

    @usableFromInline var isEmpty: Bool { waiting.isEmpty }

    /// Takes an entry that does not count as a value, or that has been counted.
    @usableFromInline
    mutating func append(_ entry: Entry) {
        waiting.append(Waiting(entry: entry, thread: pthreadSelf()))
    }

    /// Takes an entry that does not count as a value, and that is next.
    mutating func prepend(_ entry: Entry) {
        waiting.prepend(Waiting(entry: entry, thread: pthreadSelf()))
    }

    /// Takes an input that counts as a value, while fewer than `limit` wait.
    @usableFromInline
    mutating func append(_ entry: Entry, limit: Int) -> Bool {
        guard values < limit else { return false }
        values += 1
        if values > highWater { highWater = values }
        append(entry)
        return true
    }

    /// Takes an update in place of the one behind the last value, which it returns, to be released without the lock.
    mutating func append(update: @escaping @Sendable (inout Downstream) -> Demand) -> Entry? {
        for index in waiting.indices.reversed() {
            switch waiting[index].entry {
            case .lost: continue
            case .update:
                defer { waiting[index].entry = .update(update) }
                return waiting[index].entry
            case .next, .input, .terminate, .perform, .abandon:
                append(.update(update))
                return nil
            }
        }
        append(.update(update))
        return nil
    }

    /// Notes that values are missing here.
    @usableFromInline
    mutating func appendLoss(of count: Int) {
        waiting.appendLoss(of: count, Waiting(entry: .lost(count), thread: pthreadSelf()))
    }

    /// Makes room by giving up the oldest value, and returns it, to be released without the lock.
    mutating func loseOldest() -> Entry? {
        guard let oldest = waiting.loseOldest() else { return nil }
        values -= 1
        return oldest.entry
    }

    @usableFromInline
    mutating func pop() -> Entry? {
        let entry = waiting.popFirst()?.entry
        if let entry, entry.countsAsValue {
            values -= 1
            taken += 1
        }
        return entry
    }

    /// The value that has waited longest.
    var oldestValue: Downstream.Value? {
        for entry in waiting { if case .next(let value) = entry.entry { return value } }
        return nil
    }

    /// Whether a value is next.
    var valueIsNext: Bool { waiting.first?.entry.countsAsValue ?? false }

    /// Whether another thread than `thread` has enqueued the next entry.
    func nextIsForeign(to thread: UInt) -> Bool { waiting.first.map { $0.thread != thread } ?? false }

    /// Whether more than `most` values are in the queue, or the deliverer has done enough for others.
    @usableFromInline
    func isCrowded(above most: Int, limit: Int) -> Bool { values > most || taken >= max(limit, 1) }

    /// Keeps a closure to be called. Returns the number by which it can be withdrawn.
    mutating func keepResume(_ resume: @escaping @Sendable () -> Void) -> UInt64 {
        requests += 1
        resumes[requests] = resume
        return requests
    }

    mutating func takeResumes() -> [@Sendable () -> Void] {
        guard !resumes.isEmpty else { return [] }
        defer { resumes = [:] }
        return resumes.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension PendingEvents.Waiting: QueuedEvent where Downstream: ~Copyable {
    var isValue: Bool { entry.countsAsValue }

    var loss: Int? {
        get { if case .lost(let count) = entry { count } else { nil } }
        set { entry = .lost(newValue ?? 0) }
    }
}
