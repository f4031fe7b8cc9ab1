public import Synchronization

/// The bounded queue of values from one sender to one receiver, which takes all waiting values together.
///
/// The sender puts a value into a slot that the receiver does not look at, and then counts it: one atomic
/// instruction and no lock, as long as it knows of a free slot. The count tells it how many slots are free. The
/// rarer operations are done under the owner's lock, of which `Guarded` is a part: taking, finding no slot, losses,
/// the end.
///
/// It stands beside ``LossyQueue``, which needs a lock for each value, because of the benchmark's row "hop from thread to
/// thread".
@usableFromInline
final class HandoverQueue<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline typealias Batch = HandoverBatch<Value, Failure>

    /// The part of the queue that the owner's lock guards.
    @frozen
    @usableFromInline
    struct Guarded: @unchecked Sendable {
        /// The first value that waits.
        @usableFromInline var head: ValueCursor<Value>
        @usableFromInline var record: HandoverRecord<Failure>
        /// A chunk to be used again.
        @usableFromInline var spare: ValueChunk<Value>?

        @usableFromInline
        init(_ first: ValueChunk<Value>, _ overflow: Overflow<Failure>) {
            head = ValueCursor(first)
            record = HandoverRecord(overflow)
        }
    }

    /// The fate of a value for which the sender knows of no slot.
    @usableFromInline
    enum Answer {
        /// There is a slot now.
        case slot
        /// It has taken the place of this one.
        case replaced(Value)
        case lost, lostAndPaused, refused
    }

    @usableFromInline static var attended: Int { 1 }
    @usableFromInline static var oneValue: Int { 2 }
    @usableFromInline static var minChunk: Int { 16 }
    @usableFromInline static var maxChunk: Int { 256 }

    // The sender writes all of this with every value; the receiver looks at it once a batch.
    private let before = CacheLines()
    /// Twice the number of waiting values, plus one while a receiver attends to them.
    @usableFromInline let word = Atomic<Int>(0)
    // The rest belongs to the sender, which is one thread at a time.
    @exclusivity(unchecked) @usableFromInline var slot: UnsafeMutablePointer<Value>
    @exclusivity(unchecked) @usableFromInline var slotsEnd: UnsafeMutablePointer<Value>
    /// How many values the sender may add before it has to look. There may be room for more.
    @exclusivity(unchecked) @usableFromInline var freeSlots: Int
    @exclusivity(unchecked) @usableFromInline var tail: ValueChunk<Value>
    @usableFromInline let limit: Int
    private let behind = CacheLines()

    @usableFromInline
    init(limit: Int) {
        self.limit = max(1, limit)
        freeSlots = self.limit
        tail = ValueChunk(capacity: Self.minChunk)
        slot = tail.start
        slotsEnd = tail.start + tail.capacity
    }

    // MARK: The sender's side

    /// Whether the next value can be added.
    @inlinable
    var hasSlot: Bool { freeSlots > 0 && slot != slotsEnd }

    /// Adds a value where there is a slot. False when no receiver attends to the values yet.
    @inlinable
    func add(_ value: Value) -> Bool {
        slot.initialize(to: value)
        slot += 1
        // Without a check for overflow, which would make it a loop.
        let old = word.wrappingAdd(Self.oneValue, ordering: .acquiringAndReleasing).oldValue
        freeSlots = limit &- (old >> 1) &- 1
        return old & Self.attended != 0
    }

    /// Makes a slot for a value, or returns what happens to the value. Under the lock.
    @usableFromInline
    func makeSlot(for value: Value, _ guarded: inout Guarded) -> Answer {
        guard guarded.record.takesValues else {
            guarded.record.refuse()
            return .refused
        }
        let waiting = waiting
        freeSlots = limit - waiting
        if freeSlots > 0 {
            makeSlot(behind: waiting, &guarded)
            return .slot
        }
        switch guarded.record.overflow(waiting: waiting) {
        case .lost: return .lost
        case .lostAndPaused: return .lostAndPaused
        case .refused: return .refused
        case .replacesOldest:
            let oldest = guarded.head.takeFirst()
            makeSlot(behind: waiting, &guarded)
            slot.initialize(to: value)
            slot += 1
            return .replaced(oldest)
        }
    }

    /// Chunks grow while at least as many values wait as one chunk holds.
    private func makeSlot(behind waiting: Int, _ guarded: inout Guarded) {
        guard slot == slotsEnd else { return }
        let capacity = waiting < tail.capacity ? tail.capacity : min(tail.capacity * 4, Self.maxChunk)
        let spare = guarded.spare.take()
        let chunk = spare.flatMap { $0.capacity < capacity ? nil : $0 } ?? ValueChunk(capacity: capacity)
        chunk.next = nil
        tail.next = chunk
        tail = chunk
        slot = chunk.start
        slotsEnd = chunk.start + chunk.capacity
    }

    /// Whether no further value has room. Under the lock.
    @usableFromInline
    func isFull() -> Bool {
        freeSlots = limit - waiting
        return freeSlots == 0
    }

    // MARK: Either side

    @usableFromInline var waiting: Int { word.load(ordering: .acquiring) >> 1 }

    @usableFromInline var isAttended: Bool { word.load(ordering: .acquiring) & Self.attended != 0 }

    /// Makes the caller the one that attends to the values. False when there is one already.
    @inlinable
    func attend() -> Bool {
        word.bitwiseOr(Self.attended, ordering: .acquiringAndReleasing).oldValue & Self.attended == 0
    }

    // MARK: The receiver's side; under the lock

    /// Whether there is nothing to deliver, neither values nor the notes beside them.
    @usableFromInline
    func isEmpty(_ guarded: Guarded) -> Bool { waiting == 0 && guarded.record.notes.isEmpty }

    /// Leaves the values to the next one that attends to them. False when there are some.
    @inlinable
    func leave() -> Bool {
        word.compareExchange(expected: Self.attended, desired: 0, ordering: .acquiringAndReleasing).exchanged
    }

    /// Puts everything that waits into an empty batch, which leaves room for as much again.
    @usableFromInline
    func take(into batch: inout Batch, _ guarded: inout Guarded) {
        let count = word.bitwiseAnd(Self.attended, ordering: .acquiringAndReleasing).oldValue >> 1
        if let emptied = batch.emptied.take() { guarded.spare = emptied }
        batch.cursor = guarded.head
        batch.count = count
        batch.position = 0
        batch.notes = guarded.record.takeNotes()
        guarded.head.advance(by: count)
    }
}

/// Enough memory to keep two threads from writing to one cache queue: two queues, because processors fetch them in
/// pairs.
struct CacheLines: Sendable {
    private let words: InlineArray<16, UInt64> = InlineArray(repeating: 0)
}
