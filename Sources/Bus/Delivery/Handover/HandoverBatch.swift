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
