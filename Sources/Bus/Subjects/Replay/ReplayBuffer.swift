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
    /// How many values were reported missing in all.
    private(set) var missing = 0

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
        missing += count
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

    /// Forgets the values, but not their numbers.
    mutating func forget() {
        ring = []
        oldest = 0
        gaps = []
        hasGaps = false
    }

    /// A reader's place: the number of the value that is next, and how many missing values before it were reported.
    struct Place: Sendable {
        var next: Int
        var reported: Int
    }

    /// The place before the oldest value.
    var start: Place {
        let next = sent - ring.count
        return Place(next: next, reported: missing(before: next))
    }

    /// Whether nothing is left to be read.
    func isEnd(_ place: Place) -> Bool { place.next == sent && place.reported == missing }

    private func missing(before number: Int) -> Int {
        gaps.reduce(missing) { $1.number > number ? $0 - $1.count : $0 }
    }

    /// Sends the values from a place on, as long as the answer is ``Demand/more``. Values that have been dropped since
    /// the place was reached are reported as missing.
    func read(from place: inout Place, send: (Value) -> Demand, lose: (Int) -> Void) -> Demand {
        let first = sent - ring.count
        let skipped = max(0, first - place.next)
        place.next += skipped
        var due = missing(before: place.next)
        var later = gaps[...]
        while let gap = later.first, gap.number <= place.next { later.removeFirst() }
        if skipped > 0 || due > place.reported { lose(skipped + due - place.reported) }
        place.reported = due
        while place.next < sent {
            let demand = send(ring[(oldest + place.next - first) % ring.count])
            place.next += 1
            guard demand == .more else { return demand }
            while let gap = later.first, gap.number <= place.next {
                due += gap.count
                lose(gap.count)
                later.removeFirst()
            }
            place.reported = due
        }
        return .more
    }
}
