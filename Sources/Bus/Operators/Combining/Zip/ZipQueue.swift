public import DequeModule
public import Synchronization

/// The values of one input that wait for their partners.
@frozen
@usableFromInline
struct ZipQueue<Value: Sendable>: @unchecked Sendable {
    @usableFromInline var runs = PresenceRuns()
    @usableFromInline var values: Deque<Value> = []
    @usableFromInline var hasEnded = false
    /// How many were taken, for the sender to see. Only the taker writes it.
    @usableFromInline var taken = 0
    // The counters own it, and every holder of a queue holds them as well. Unchecked for this pointer, behind which
    // lies an atomic.
    @usableFromInline let counter: UnsafeMutablePointer<Atomic<Int>>

    @inlinable
    init(_ counters: ZipCounters, at index: Int) {
        counter = counters.counters + index
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

/// The places of an input's values: in which ones there is a value, and in which ones it was lost.
///
/// A pair is made of the values in the same place of each input, so a lost value takes its partners with it and the
/// rest stay together.
@frozen
@usableFromInline
struct PresenceRuns: Sendable {
    @frozen
    @usableFromInline
    struct Run: Sendable {
        /// So many are missing, followed by so many that are there.
        @usableFromInline var missing = 0
        @usableFromInline var present = 0

        @inlinable
        init() {}
    }

    @usableFromInline var front = Run()
    @usableFromInline var rest: Deque<Run> = []

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { front.present == 0 && front.missing == 0 }

    @inlinable
    mutating func appendValue() {
        if rest.isEmpty {
            front.present += 1
        } else {
            rest[rest.count - 1].present += 1
        }
    }

    @usableFromInline
    mutating func appendLoss(of count: Int) {
        if rest.isEmpty, front.present == 0 {
            front.missing += count
        } else if let last = rest.last, last.present == 0 {
            rest[rest.count - 1].missing += count
        } else {
            var run = Run()
            run.missing = count
            rest.append(run)
        }
    }

    /// Goes on to the next place; returns whether there is a value in it.
    @inlinable
    mutating func advance() -> Bool {
        if front.missing > 0 {
            front.missing -= 1
            if front.missing == 0, front.present == 0 { nextRun() }
            return false
        }
        front.present -= 1
        if front.present == 0 { nextRun() }
        return true
    }

    @inlinable
    mutating func nextRun() {
        if let next = rest.popFirst() { front = next }
    }
}

/// How many values of each input of a `zip` wait. Both the input and the pairing thread read it.
@usableFromInline
final class ZipCounters: @unchecked Sendable {
    @usableFromInline let limit: Int
    // One atomic counter an input, of the values taken; allocated and freed with this object, which every counting
    // object holds.
    @usableFromInline let counters: UnsafeMutablePointer<Atomic<Int>>
    private let inputs: Int

    @usableFromInline
    init(inputs: Int, limit: Int) {
        self.inputs = inputs
        self.limit = max(1, limit)
        counters = .allocate(capacity: inputs)
        for index in 0..<inputs { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize(count: inputs)
        counters.deallocate()
    }

    /// How many values of all inputs can wait. The queue before the machine has room for so many, and loses none: a
    /// value lost there would shift all that follow it.
    @usableFromInline
    var total: Int {
        let (total, isMost) = limit.multipliedReportingOverflow(by: inputs)
        return isMost ? .max : total
    }

    @inlinable
    func isFull(sent: Int, at index: Int) -> Bool {
        sent - counters[index].load(ordering: .acquiring) >= limit
    }

    /// Whether an input that was told to pause is not yet to go on.
    func isCrowded(sent: Int, at index: Int) -> Bool {
        sent - counters[index].load(ordering: .relaxed) > limit / 2
    }
}
