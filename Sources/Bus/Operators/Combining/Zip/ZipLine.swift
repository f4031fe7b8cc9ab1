public import DequeModule
public import Synchronization

/// The values of one input that wait for their partners.
@frozen
@usableFromInline
struct ZipLine<Value: Sendable>: @unchecked Sendable {
    @usableFromInline var runs = PresenceRuns()
    @usableFromInline var values: Deque<Value> = []
    @usableFromInline var hasEnded = false
    /// How many were taken, for the sender to see. Only the taker writes it.
    @usableFromInline var taken = 0
    // The room owns it, and every holder of a line holds the room as well. Unchecked for this pointer, behind which
    // lies an atomic.
    @usableFromInline let counter: UnsafeMutablePointer<Atomic<Int>>

    @inlinable
    init(_ room: ZipRoom, at index: Int) {
        counter = room.counters + index
    }

    @inlinable
    var isEmpty: Bool { runs.isEmpty }

    /// Whether nothing can come any more.
    @inlinable
    var isFinished: Bool { hasEnded && runs.isEmpty }

    @inlinable
    mutating func append(_ value: Value) {
        runs.appendValue()
        values.append(value)
    }

    /// The next value; nothing when it was lost.
    @inlinable
    mutating func take() -> Value? {
        guard runs.advance() else { return nil }
        taken += 1
        counter.pointee.store(taken, ordering: .releasing)
        return values.popFirst()
    }
}
