/// The entries that have one value, by their places in the file, as the value's DATA object lists them.
final class Postings {
    // The file holds this list, and outlives it. A reference that is checked would be counted at every step.
    private unowned(unsafe) let file: JournalFile
    private let data: Int
    /// The first entry stands in the object itself, the others in a chain of arrays.
    private let first: Int
    private var blocks: [(items: Int, first: Int, count: Int)] = []
    let count: Int
    /// An array was not what it should be.
    private(set) var isDamaged = false
    /// The position that was found last.
    private var last = 0
    /// Some of the places, read together.
    private let held = UnsafeMutablePointer<Int>.allocate(capacity: mostHeld)
    private var heldFirst = 0
    private var heldCount = 0
    private static let mostHeld = 64

    /// - Parameter data: where the DATA object is.
    init?(_ file: JournalFile, data: Int) {
        guard
            let (start, _) = file.object(data, JournalFile.ObjectType.data, least: file.payloadStart, .spot)
        else { return nil }
        self.file = file
        self.data = data
        first = Int(clamping: start.number(at: 40))
        var array = Int(clamping: start.number(at: 48))
        let claimed = Int(clamping: start.number(at: 56))
        guard (first == 0) == (claimed == 0) else { return nil }
        var reached = min(claimed, 1)
        while reached < claimed, array != 0 {
            guard
                let (start, size) = file.object(
                    array,
                    JournalFile.ObjectType.array,
                    least: JournalFile.ObjectStart.array,
                    .spot
                )
            else { return nil }
            let capacity = (size - JournalFile.ObjectStart.array) / file.slotSize
            let next = Int(clamping: start.number(at: 16))
            guard capacity > 0, next == 0 || next > array else { return nil }
            let used = min(capacity, claimed - reached)
            blocks.append((array + JournalFile.ObjectStart.array, reached, used))
            reached += used
            array = next
        }
        // Entries that could not be linked are not counted, and are there all the same in a file that was full.
        count = reached
        isDamaged = reached < claimed
    }

    deinit {
        held.deallocate()
    }

    /// The place of one of the entries; `nil`, and the list is damaged, where it cannot be read.
    @inline(__always)
    func offset(at index: Int) -> Int? {
        if index == 0 { return first }
        let position = index &- heldFirst
        if position >= 0, position < heldCount, held[position] != 0 { return held[position] }
        return load(index)
    }

    @inline(never)
    private func load(_ index: Int) -> Int? {
        heldCount = 0
        guard let block = block(of: index), index < block.first + block.count else {
            isDamaged = true
            return nil
        }
        let start = (index - block.first) & ~(Self.mostHeld - 1)
        let count = min(Self.mostHeld, block.count - start)
        guard let slots = file.bytes(block.items + start * file.slotSize, count * file.slotSize, .spot) else {
            isDamaged = true
            return nil
        }
        for number in 0..<count {
            let slot =
                file.isCompact ? UInt64(slots.shortNumber(at: 4 * number)) : slots.number(at: 8 * number)
            held[number] = Int(clamping: slot)
        }
        (heldFirst, heldCount) = (block.first + start, count)
        let offset = held[index - heldFirst]
        if offset == 0 { isDamaged = true }
        return offset == 0 ? nil : offset
    }

    /// The last array that begins with that position or before it.
    private func block(of index: Int) -> (items: Int, first: Int, count: Int)? {
        let next = Halving.firstIndex(below: blocks.count) { blocks[$0].first > index }
        return next > 0 ? blocks[next - 1] : nil
    }

    /// The first entry that is at `offset` or behind it; going back, the last one that is there or before it.
    func next(from offset: Int, _ direction: Direction) -> Int? {
        guard let index = index(from: offset, direction) else { return nil }
        last = index
        return self.offset(at: index)
    }

    /// Whether the entry has the value, if it was found here. A list that is damaged may lead to another entry.
    func confirms(_ offset: Int) -> Bool {
        guard last < count, self.offset(at: last) == offset, !file.hasItem(data, inEntryAt: offset) else { return true }
        isDamaged = true
        return false
    }

    private func index(from offset: Int, _ direction: Direction) -> Int? {
        var low = 0
        var high = count
        // Reading on, it is the one found last or not far behind.
        if direction == .forward, last < count, let known = self.offset(at: last) {
            if known < offset {
                low = last + 1
                var step = 1
                while low + step < count, let next = self.offset(at: low + step - 1), next < offset {
                    low += step
                    step *= 2
                }
                high = min(low + step, count)
            } else {
                high = last + 1
            }
        }
        let next = Halving.firstIndex(in: low..<high) { index in
            self.offset(at: index).map { direction == .forward ? $0 >= offset : $0 > offset }
        }
        guard let next else { return nil }
        if direction == .forward { return next < count ? next : nil }
        return next > 0 ? next - 1 : nil
    }

    /// The position of the first entry for which `isBehind` answers true. `nil` if an entry on the way cannot be read.
    func firstIndex(where isBehind: (EntryRef) -> Bool) -> Int? {
        Halving.firstIndex(in: 0..<count) { index in
            offset(at: index).flatMap { file.entry(at: $0, .spot) }.map(isBehind)
        }
    }
}

/// Which way a journal is read.
enum Direction {
    case forward
    case backward
}
