/// Slots for values, side by side in memory. The users of a chunk know which slots hold a value.
@usableFromInline
final class ValueChunk<Value>: @unchecked Sendable {
    @usableFromInline let start: UnsafeMutablePointer<Value>
    @usableFromInline let capacity: Int
    /// Set by the sender before it counts the first value in the next chunk, and read by the receiver of such a
    /// value.
    @exclusivity(unchecked) @usableFromInline var next: ValueChunk?

    @usableFromInline
    init(capacity: Int) {
        start = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit {
        start.deallocate()
    }
}

/// A slot in a queue of chunks.
@frozen
@usableFromInline
struct ValueCursor<Value> {
    @usableFromInline var chunk: ValueChunk<Value>
    /// At the end of a chunk until a value behind it is asked for.
    @usableFromInline var index = 0

    @inlinable
    init(_ chunk: ValueChunk<Value>) {
        self.chunk = chunk
    }

    /// Goes to the next chunk at the end of this one; the next chunk must have a value. Returns the chunk that it
    /// leaves.
    @usableFromInline
    mutating func leaveFullChunk() -> ValueChunk<Value>? {
        guard index == chunk.capacity else { return nil }
        guard let next = chunk.next else { preconditionFailure("a value was counted before it had a slot") }
        defer {
            chunk = next
            index = 0
        }
        return chunk
    }

    /// Passes `count` values.
    @usableFromInline
    mutating func advance(by count: Int) {
        var rest = count
        while rest > 0 {
            _ = leaveFullChunk()
            let here = min(rest, chunk.capacity - index)
            index += here
            rest -= here
        }
    }

    /// Moves a value out of its slot.
    @usableFromInline
    mutating func takeFirst() -> Value {
        _ = leaveFullChunk()
        defer { index += 1 }
        return (chunk.start + index).move()
    }
}
