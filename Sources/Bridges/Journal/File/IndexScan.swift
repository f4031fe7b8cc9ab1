/// Goes through the entries of one file that its index finds. They are looked up for one part of the file after the
/// other, so that little is held and the lists are read in runs.
///
/// It belongs to the file's reader.
final class IndexScan {
    // The file holds this scan, and outlives it. A reference that is checked would be counted at every step.
    private unowned(unsafe) let file: JournalFile
    private let condition: IndexCondition
    /// How many entries these are at most.
    let estimate: Int
    /// A list was damaged: the entries found may not be all.
    private(set) var isDamaged = false

    /// The part of the file that was looked up last, and the entries there.
    private var part = 0..<0
    private var places: [Int] = []
    /// The index of the entry that was found last.
    private var position = 0
    /// The size of the next part.
    private var width = 1 << 20

    private static let minWidth = 1 << 12
    private static let maxWidth = 64 << 20
    /// So many entries are looked up at once, roughly.
    private static let wanted = 256..<2048

    init(_ condition: IndexCondition, in file: JournalFile) {
        self.condition = condition
        self.file = file
        estimate = condition.estimate
    }

    /// The place of the first entry that is at `offset` or behind it; going back, of the last one there or before it.
    @inline(__always)
    func next(from offset: Int, _ direction: Direction) -> Int? {
        if direction == .forward, part.contains(offset), position >= 0, position + 1 < places.count,
            places[position] < offset, places[position + 1] >= offset
        {
            position += 1
            return places[position]
        }
        return find(from: offset, direction)
    }

    @inline(never)
    private func find(from offset: Int, _ direction: Direction) -> Int? {
        var offset = offset
        while offset >= 0, offset < file.size {
            if !part.contains(offset) { lookUp(offset, direction) }
            if isDamaged { return nil }
            let behind = BinarySearch.firstIndex(below: places.count) {
                direction == .forward ? places[$0] >= offset : places[$0] > offset
            }
            position = direction == .forward ? behind : behind - 1
            if places.indices.contains(position) { return places[position] }
            offset = direction == .forward ? part.upperBound : part.lowerBound - 1
        }
        return nil
    }

    /// Looks up the part of the file that begins at the offset, or going back ends there.
    private func lookUp(_ offset: Int, _ direction: Direction) {
        let end = file.size
        if direction == .forward {
            part = offset..<(end - offset > width ? offset + width : end)
        } else {
            part = max(offset + 1 - width, 0)..<offset + 1
        }
        guard let found = condition.places(in: part, of: file, direction) else {
            isDamaged = true
            places = []
            return
        }
        places = found
        if found.count < Self.wanted.lowerBound { width = min(width * 2, Self.maxWidth) }
        if found.count > Self.wanted.upperBound { width = max(width / 2, Self.minWidth) }
    }

    /// Whether a found entry really has the values it was found by. A damaged list may lead to another entry.
    func confirms(_ offset: Int) -> Bool {
        if file.withItems(ofEntryAt: offset, file.place.access, { condition.holds(for: $0) }) ?? false { return true }
        isDamaged = true
        return false
    }
}
