import DequeModule

/// The newest of some elements: at most so many, and at most so many bytes of them. The last one is kept however large it is.
package struct NewestKept<Element: Sendable>: Sendable {
    private let maxCount: Int
    private let maxBytes: Int
    private var kept: Deque<(element: Element, byteCount: Int)> = []
    private var byteCount = 0
    /// How many of the `maxCount` newest had to go for lack of capacity, since the last call of ``removeAll()``.
    package private(set) var leftOut = 0

    /// So many bytes where nothing else is said.
    package static var maxBytes: Int { 64 << 20 }

    package init(maxCount: Int, maxBytes: Int = Self.maxBytes) {
        self.maxCount = maxCount
        self.maxBytes = maxBytes
    }

    package var isEmpty: Bool { kept.isEmpty }
    package var count: Int { kept.count }

    /// Returns whether another element had to go, or this one is not kept.
    @discardableResult
    package mutating func append(_ element: Element, byteCount size: Int) -> Bool {
        guard maxCount > 0 else { return true }
        kept.append((element, size))
        byteCount += size
        // An element that went for lack of capacity would have gone now for its number.
        let goes = kept.count + leftOut > maxCount
        if goes, leftOut > 0 { leftOut -= 1 } else if goes { removeFirst() }
        var hasRemoved = goes
        while byteCount > maxBytes, kept.count > 1 {
            removeFirst()
            leftOut += 1
            hasRemoved = true
        }
        return hasRemoved
    }

    private mutating func removeFirst() {
        guard let first = kept.popFirst() else { return }
        byteCount -= first.byteCount
    }

    /// Takes all of them, the oldest first.
    package mutating func removeAll() -> [Element] {
        defer {
            kept = []
            (byteCount, leftOut) = (0, 0)
        }
        return kept.map(\.element)
    }

    /// For a person, why some are missing.
    package static func reason(leaving count: Int, maxBytes: Int = Self.maxBytes) -> String {
        let records = count == 1 ? "1 record is" : "\(count) records are"
        return "\(records) left out here: no more than \(maxBytes >> 20) MiB of earlier records are kept"
    }
}

extension Record {
    /// A gap for records before another one that were dropped for lack of capacity.
    package static func leftOut(_ count: Int, before next: Record, maxBytes: Int = NewestKept<Record>.maxBytes)
        -> Record
    {
        .gap(
            lost: count,
            source: next.source,
            time: next.time,
            sequence: next.sequence,
            message: NewestKept<Record>.reason(leaving: count, maxBytes: maxBytes)
        )
    }
}
