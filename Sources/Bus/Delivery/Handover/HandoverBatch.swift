/// The values that a receiver has taken out of a ``HandoverQueue``, with the notes beside them. The receiver resets it
/// before it releases it.
@frozen
@usableFromInline
struct HandoverBatch<Value: Sendable, Failure: Error>: ~Copyable {
    @usableFromInline var cursor: ValueCursor<Value>
    /// How many are left.
    @usableFromInline var count = 0
    /// How many have been taken.
    @usableFromInline var position = 0
    @usableFromInline var notes = HandoverNotes<Failure>()
    /// A chunk that can be used again.
    @usableFromInline var emptied: ValueChunk<Value>?

    @inlinable
    init(at cursor: ValueCursor<Value>) {
        self.cursor = cursor
    }

    @inlinable
    var isEmpty: Bool { count == 0 && notes.isEmpty }

    /// The values that lie side by side, to be moved out of their places and then `passed`. There is at least one if
    /// `count` is not zero.
    @inlinable
    mutating func run() -> UnsafeMutableBufferPointer<Value> {
        leaveFullChunk()
        let length = min(count, cursor.chunk.capacity - cursor.index)
        return UnsafeMutableBufferPointer(start: cursor.chunk.start + cursor.index, count: length)
    }

    @inlinable
    mutating func passed(_ number: Int) {
        cursor.index += number
        position += number
        count -= number
    }

    @usableFromInline
    mutating func takeFirst() -> Value {
        leaveFullChunk()
        defer { passed(1) }
        return (cursor.chunk.start + cursor.index).move()
    }

    @usableFromInline
    mutating func leaveFullChunk() {
        guard count > 0, let left = cursor.leaveFullChunk() else { return }
        emptied = left
    }

    /// Drops the remaining values, but not the memory.
    @usableFromInline
    mutating func reset() {
        while count > 0 { _ = takeFirst() }
        position = 0
        notes = HandoverNotes()
    }
}

/// The notes that the receiver takes with the values: where values are missing, and how the signal ends.
@frozen
@usableFromInline
struct HandoverNotes<Failure: Error>: Sendable {
    @usableFromInline var gaps = Gaps()
    @usableFromInline var end: HandoverEnd<Failure>?

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { end == nil && gaps.isEmpty }
}

/// How values that wait for their receiver end.
@frozen
@usableFromInline
enum HandoverEnd<Failure: Error>: Sendable {
    case termination(Termination<Failure>)
    /// So many values found no room, and the closure makes the failure from their number.
    case overflow(lost: Int, @Sendable (_ lost: Int) -> Failure)

    /// Called without a lock, because foreign code makes the failure.
    @usableFromInline var termination: Termination<Failure> {
        switch self {
        case .termination(let termination): termination
        case .overflow(let lost, let makeFailure): .failed(makeFailure(lost))
        }
    }
}

/// Keeps the notes on values that wait for their receiver, and decides the fate of a value that finds no room.
@frozen
@usableFromInline
struct HandoverRecord<Failure: Error>: Sendable {
    /// The fate of a value that finds no room.
    @frozen
    @usableFromInline
    enum Fate { case lost, lostAndPaused, refused, replacesOldest }

    @usableFromInline let overflow: Overflow<Failure>
    @usableFromInline var notes = HandoverNotes<Failure>()
    /// Set by the first value beyond the limit when that makes the signal fail.
    @usableFromInline var overflowFailure: (@Sendable (_ lost: Int) -> Failure)?
    @usableFromInline var lostToFailure = 0
    @usableFromInline var isClosed = false

    @inlinable
    init(_ overflow: Overflow<Failure>) {
        self.overflow = overflow
    }

    @inlinable
    var pausesSource: Bool {
        if case .pause = overflow { return true }
        return false
    }

    @inlinable
    var takesValues: Bool { !isClosed && overflowFailure == nil }

    /// A value came after the queue was closed.
    @usableFromInline
    mutating func refuse() {
        if !isClosed { lostToFailure += 1 }
    }

    /// A value came while all the places are taken, by `waiting` values.
    @usableFromInline
    mutating func overflow(waiting: Int) -> Fate {
        switch overflow {
        case .pause:
            lose(1, behind: waiting)
            return .lostAndPaused
        case .dropNewest:
            lose(1, behind: waiting)
            return .lost
        case .dropOldest:
            notes.gaps.firstValueLost()
            return .replacesOldest
        case .fail(let makeFailure):
            overflowFailure = makeFailure
            refuse()
            return .refused
        }
    }

    /// Values are missing behind the `waiting` ones.
    @usableFromInline
    mutating func lose(_ count: Int, behind waiting: Int) {
        guard !isClosed else { return }
        notes.gaps.lost(count, before: waiting)
    }

    @usableFromInline
    mutating func terminate(_ termination: Termination<Failure>) {
        guard !isClosed else { return }
        isClosed = true
        notes.end = overflowFailure.map { .overflow(lost: lostToFailure, $0) } ?? .termination(termination)
    }

    @inlinable
    mutating func takeNotes() -> HandoverNotes<Failure> {
        guard !notes.isEmpty else { return HandoverNotes() }
        defer { notes = HandoverNotes() }
        return notes
    }
}
