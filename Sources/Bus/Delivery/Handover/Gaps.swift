public import DequeModule

/// The places in a queue of values where values are missing, and how many.
///
/// Positions are counted from the first value that ever stood in front, so that dropping the first one moves nothing.
@frozen
@usableFromInline
struct Gaps: Sendable {
    @frozen
    @usableFromInline
    struct Gap: Sendable {
        @usableFromInline var position: Int
        @usableFromInline var count: Int
    }

    @usableFromInline var gaps: Deque<Gap> = []
    /// How many values were dropped from the front.
    @usableFromInline var dropped = 0

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { gaps.isEmpty }

    /// The number of all missing values.
    var total: Int { gaps.reduce(0) { $0 + $1.count } }

    /// `count` values are missing before the one at `index` of those that wait.
    @usableFromInline
    mutating func lost(_ count: Int, before index: Int) {
        let position = dropped + index
        if let last = gaps.last, last.position == position {
            gaps[gaps.count - 1].count += count
        } else {
            gaps.append(Gap(position: position, count: count))
        }
    }

    /// The first of the waiting values was dropped.
    @usableFromInline
    mutating func firstValueLost() {
        dropped += 1
        var missing = 1
        // The gap before the dropped value and the gap right after it become one gap.
        while let first = gaps.first, first.position <= dropped {
            missing += first.count
            gaps.removeFirst()
        }
        gaps.prepend(Gap(position: dropped, count: missing))
    }

    /// The number of values missing before the value at `index`; asked for in ascending order.
    @inlinable
    mutating func take(before index: Int) -> Int {
        guard let first = gaps.first, first.position <= dropped + index else { return 0 }
        gaps.removeFirst()
        return first.count
    }
}
