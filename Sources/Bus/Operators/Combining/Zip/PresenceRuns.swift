public import DequeModule

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
