public import DequeModule

/// The order of the inner signals of a `flatMap`: which values wait, which signal starts next, when all is done.
@frozen
@usableFromInline
struct FlattenQueue<Value: Sendable>: Sendable {
    @frozen
    @usableFromInline
    enum Arrival { case accepted, lost, ignored }

    /// A value that waits, and the thread that sent it.
    @frozen
    @usableFromInline
    struct Waiting: Sendable {
        @usableFromInline let value: Value
        @usableFromInline let thread: UInt

        @inlinable
        init(_ value: Value) {
            self.value = value
            thread = pthreadSelf()
        }
    }

    /// The value whose signal starts next.
    @frozen
    @usableFromInline
    struct Next: Sendable {
        @usableFromInline let value: Value
        /// How many values are missing before it.
        @usableFromInline let missing: Int
        /// How many are missing behind it, if none waits any more.
        @usableFromInline let missingBehind: Int

        @usableFromInline
        init(_ value: Value, missing: Int = 0, missingBehind: Int = 0) {
            self.value = value
            self.missing = missing
            self.missingBehind = missingBehind
        }
    }

    @usableFromInline let maxConcurrent: Int
    @usableFromInline let limit: Int
    @usableFromInline let ignoresWhileBusy: Bool
    @usableFromInline var running = 0
    @usableFromInline var waiting: Deque<Waiting> = []
    /// Where values are missing among and behind those that wait.
    @usableFromInline var gaps = Gaps()
    /// Upper bound of the queued values that have not been notified yet.
    @usableFromInline var unnotified = 0
    @usableFromInline var outerIsDone = false
    /// No further value comes, whether the source completed or was released.
    @usableFromInline var outerIsGone = false
    /// The closure that the paused source left to be called.
    @usableFromInline var resume: (@Sendable () -> Void)?
    /// The output pauses, and has been asked to call when the next signal may start.
    @usableFromInline var awaitsOutput = false

    /// Runs so many signals at once, with so many values waiting.
    @inlinable
    init(maxConcurrent: Int, limit: Int) {
        self.maxConcurrent = max(1, maxConcurrent)
        self.limit = max(1, limit)
        ignoresWhileBusy = false
    }

    /// Runs one signal, and ignores values that come while it runs.
    @inlinable
    init(ignoringWhileBusy: Void) {
        maxConcurrent = 1
        limit = 1
        ignoresWhileBusy = true
    }

    @inlinable
    mutating func arrived(_ value: Value) -> Arrival {
        if running >= maxConcurrent || !waiting.isEmpty {
            if ignoresWhileBusy { return .ignored }
            guard waiting.count < limit else {
                gaps.lost(1, before: waiting.count)
                return .lost
            }
        }
        waiting.append(Waiting(value))
        unnotified += 1
        return .accepted
    }

    /// Starts at once for a value that need not wait. False when it has to.
    @inlinable
    mutating func startAtOnce() -> Bool {
        guard running < maxConcurrent, waiting.isEmpty else { return false }
        running += 1
        return true
    }

    /// The next waiting value, when there is a place for it.
    @usableFromInline
    mutating func startNext() -> Next? {
        guard running < maxConcurrent, let first = waiting.popFirst() else { return nil }
        running += 1
        guard !gaps.isEmpty else { return Next(first.value) }
        let missing = gaps.take(before: 0)
        gaps.dropped += 1
        return Next(first.value, missing: missing, missingBehind: waiting.isEmpty ? gaps.take(before: 0) : 0)
    }

    /// Values are missing. False when none waits before them.
    @usableFromInline
    mutating func lost(_ count: Int) -> Bool {
        guard !waiting.isEmpty else { return false }
        gaps.lost(count, before: waiting.count)
        return true
    }

    /// Whether another thread than `thread` sent the value that waits longest.
    @usableFromInline
    func nextIsForeign(to thread: UInt) -> Bool { waiting.first.map { $0.thread != thread } ?? false }

    /// A signal ended; returns whether all is done.
    @inlinable
    mutating func ended() -> Bool {
        running -= 1
        return isDone
    }

    /// Whether all signals run at once, so that values wait only while the output pauses.
    @inlinable
    var startsAll: Bool { maxConcurrent == .max }

    /// How many values may wait while the output pauses. There is room for one of every signal that may run: a signal with a single value
    /// cannot pause.
    @inlinable
    var outputLimit: Int { startsAll ? 1024 : max(1024, 2 * min(maxConcurrent, 1 << 20)) }

    /// Whether the source is to pause.
    @inlinable
    var isFull: Bool { !ignoresWhileBusy && waiting.count >= (startsAll ? 1 : limit) }

    /// Whether a source that was told to pause is not yet to go on.
    @inlinable
    var isCrowded: Bool { !ignoresWhileBusy && waiting.count > (startsAll ? 0 : limit / 2) }

    /// The values that wait for others to end, and have not been told so.
    @usableFromInline
    mutating func takeUnnotified() -> [Value] {
        guard running >= maxConcurrent, unnotified > 0 else { return [] }
        defer { unnotified = 0 }
        return waiting.suffix(unnotified).map(\.value)
    }

    /// Whether the other signals allow another to start.
    @inlinable
    var mayStartNext: Bool { running < maxConcurrent && !waiting.isEmpty }

    @usableFromInline
    mutating func takeResume() -> (@Sendable () -> Void)? { isCrowded ? nil : resume.take() }

    /// Whether no further signal will start.
    @inlinable
    var expectsNothing: Bool { outerIsGone && waiting.isEmpty }

    @inlinable
    var isDone: Bool { outerIsDone && running == 0 && waiting.isEmpty }
}

/// A value that is told when it waits for other signals to end before its own is subscribed to.
@usableFromInline
protocol StartWaiting {
    func waitToStart()
}
