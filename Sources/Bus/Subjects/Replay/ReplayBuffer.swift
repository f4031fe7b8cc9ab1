import DequeModule

/// The last values of a signal, and the places between them where values are missing.
@usableFromInline
package struct ReplayBuffer<Value: Sendable>: Sendable {
    /// So many values are missing before the one of this number.
    struct Gap: Sendable {
        let number: Int
        var count: Int
    }

    @usableFromInline let capacity: Int
    /// Grows until it is full; from then on, each value replaces the oldest.
    @usableFromInline var ring: ContiguousArray<Value> = []
    /// The index of the oldest value, once the ring is full.
    @usableFromInline var oldest = 0
    /// How many values there were in all. This is the number of the next value.
    @usableFromInline var sent = 0
    /// In order, and none before the oldest value that is kept: a gap there does not concern a later subscriber. So there are
    /// never more gaps than values.
    private var gaps: Deque<Gap> = []
    @usableFromInline var hasGaps = false

    @usableFromInline
    package init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// Keeps a value. When there is no room, the oldest is dropped.
    @inlinable
    package mutating func append(_ value: Value) {
        if ring.count < capacity {
            ring.append(value)
        } else if capacity > 0 {
            ring[oldest] = value
            oldest = oldest + 1 == capacity ? 0 : oldest + 1
        }
        sent += 1
        if hasGaps { forgetGaps() }
    }

    /// The same; returns the dropped value, for a caller that must not release it yet.
    mutating func push(_ value: Value) -> Value? {
        let displaced = ring.count == capacity ? ring[oldest] : nil
        append(value)
        return displaced
    }

    /// How many values are kept.
    var count: Int { ring.count }

    /// The values, the oldest first.
    var values: [Value] { ring.indices.map { ring[(oldest + $0) % ring.count] } }

    /// Notes that values are missing behind those that are kept.
    @usableFromInline
    package mutating func lose(_ count: Int) {
        guard !ring.isEmpty else { return }
        if let last = gaps.last, last.number == sent {
            gaps[gaps.count - 1].count += count
        } else {
            gaps.append(Gap(number: sent, count: count))
        }
        hasGaps = true
    }

    @usableFromInline
    mutating func forgetGaps() {
        let first = sent - ring.count
        while let gap = gaps.first, gap.number <= first { gaps.removeFirst() }
        hasGaps = !gaps.isEmpty
    }

    /// Sends all of it to a subscriber, as far as the subscriber wants it.
    @usableFromInline
    package func replay<Failure>(to slot: SubscriberSlot<Value, Failure>) {
        replay(send: { slot.send($0) }, lose: slot.lost)
    }

    /// Sends all of it, as long as the answer is not ``Demand/stop``.
    func replay(send: (Value) -> Demand, lose: (Int) -> Void) {
        var missing = gaps
        for index in ring.indices {
            if let gap = missing.first, gap.number == sent - ring.count + index {
                lose(gap.count)
                missing.removeFirst()
            }
            if send(ring[(oldest + index) % ring.count]) == .stop { return }
        }
        if let gap = missing.first { lose(gap.count) }
    }
}
