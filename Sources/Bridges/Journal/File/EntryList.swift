/// The entries of one file in their order, by their places in it: those that the file's chain of arrays names, or those that
/// were found where the chain is damaged.
struct EntryList {
    /// The part of an array that is in use.
    private struct Block {
        /// Where its first slot is.
        let items: Int
        /// How many slots there are before it.
        let first: Int
        let capacity: Int
        var count: Int
    }

    private var blocks: [Block] = []
    /// The array that follows the last block; 0 if none is known.
    private var following = 0
    /// How many entries the file's header counts.
    private(set) var claimed = 0
    /// How many of them the chain leads to.
    private var reachable = 0
    private let slots = SlotBuffer()

    /// What was found instead of the first `replaced` slots, each place divided by 8.
    private var found: [UInt32] = []
    private var replaced = 0
    /// Entries that are missing: before which of the list's entries, and how many.
    private(set) var losses: [(index: Int, count: Int)] = []
    /// How often the file was gone through.
    private(set) var repairs = 0

    /// How many entries there are.
    var count: Int { found.count + reachable - replaced }

    /// Whether the chain leads to as many entries as the header counts.
    var isComplete: Bool { reachable == claimed }

    /// Takes in what was added to the file.
    mutating func extend(_ file: JournalFile) {
        let count = Int(clamping: file.header.entryCount)
        guard count > claimed || reachable < claimed else { return }
        // More slots than the file has room for cannot be.
        claimed = max(min(count, file.size / file.slotSize), claimed)
        if blocks.isEmpty, following == 0 { following = Int(clamping: file.header.entryArrayOffset) }
        if let last = blocks.last, last.count < last.capacity {
            let more = min(last.capacity - last.count, claimed - reachable)
            blocks[blocks.count - 1].count += more
            reachable += more
        }
        while reachable < claimed, let block = nextBlock(file) {
            blocks.append(block)
            reachable += block.count
        }
    }

    private mutating func nextBlock(_ file: JournalFile) -> Block? {
        if following == 0, let last = blocks.last {
            guard let start = file.bytes(last.items - JournalFile.ObjectStart.array, 24, .spot) else { return nil }
            following = Int(clamping: start.number(at: 16))
        }
        let offset = following
        // An array points forward. Going back would be going round.
        guard offset > (blocks.last?.items ?? 0),
            let (start, size) = file.object(
                offset,
                JournalFile.ObjectType.array,
                least: JournalFile.ObjectStart.array,
                .spot
            )
        else {
            // It may be written yet.
            following = 0
            return nil
        }
        let capacity = (size - JournalFile.ObjectStart.array) / file.slotSize
        guard capacity > 0 else { return nil }
        following = Int(clamping: start.number(at: 16))
        return Block(
            items: offset + JournalFile.ObjectStart.array,
            first: reachable,
            capacity: capacity,
            count: min(capacity, claimed - reachable)
        )
    }

    /// The place of an entry; `nil` where the slot cannot be read or is empty.
    @inline(__always)
    func offset(at index: Int, _ file: JournalFile) -> Int? {
        if index < found.count { return Int(found[index]) << 3 }
        return slot(index - found.count + replaced, file)
    }

    @inline(__always)
    private func slot(_ index: Int, _ file: JournalFile) -> Int? {
        if let offset = slots.offset(at: index, file) { return offset }
        guard let block = blocks.last(where: { $0.first <= index }), index < block.first + block.count else {
            return nil
        }
        slots.load(index - block.first, of: block.count, from: block.items, before: block.first, file)
        return slots.offset(at: index, file)
    }

    /// The first entry that is at `offset` or behind it.
    func index(from offset: Int, _ file: JournalFile) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self.offset(at: middle, file) ?? .max < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first index for which `isBehind` answers true, as libsystemd looks for it: array by array, then by halving. Only
    /// where the answers are not sorted does the way matter. `nil` if an entry on the way cannot be read.
    func firstIndex(_ file: JournalFile, where isBehind: (EntryRef) -> Bool) -> Int? {
        var low = 0
        var high = count
        if repairs == 0 {
            for block in blocks where block.count > 0 {
                high = block.first + block.count
                guard let last = entry(at: high - 1, file) else { return nil }
                if isBehind(last) {
                    high -= 1
                    break
                }
                low = high
            }
        }
        while low < high {
            let middle = (low + high) / 2
            guard let entry = entry(at: middle, file) else { return nil }
            if isBehind(entry) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func entry(at index: Int, _ file: JournalFile) -> EntryRef? {
        offset(at: index, file).flatMap { file.entry(at: $0, .spot) }
    }

    /// Replaces what cannot be read by what is found by going through the whole file.
    mutating func repair(_ file: JournalFile) {
        repairs += 1
        // 0 stands for a slot that leads to no entry.
        let inSlots = (0..<reachable).map { index -> UInt32 in
            guard let offset = slot(index, file), file.entry(at: offset, .stream) != nil else { return 0 }
            return UInt32(exactly: offset >> 3) ?? 0
        }
        var all = inSlots.filter { $0 > 0 } + EntryScan(file).entries()
        all.sort()
        found = []
        for offset in all where offset != found.last { found.append(offset) }
        replaced = reachable
        losses = Self.losses(inSlots, claimed: claimed, found: found)
    }

    /// Where among the entries that were found some are missing.
    private static func losses(_ slots: [UInt32], claimed: Int, found: [UInt32]) -> [(index: Int, count: Int)] {
        var missing = claimed - found.count
        guard missing > 0 else { return [] }
        var losses: [(index: Int, count: Int)] = []
        var index = 0
        var empty = 0
        for slot in slots {
            guard slot > 0, case let next = lowerBound(found, slot), next >= index else {
                empty += 1
                continue
            }
            // So many entries were found in the place of those whose slots cannot be read.
            let lost = min(empty - (next - index), missing)
            if lost > 0 {
                losses.append((next, lost))
                missing -= lost
            }
            empty = 0
            index = next + 1
        }
        if missing > 0 { losses.append((found.count, missing)) }
        return losses
    }

    private static func lowerBound(_ sorted: [UInt32], _ value: UInt32) -> Int {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How many entries are missing and were not told of yet.
    var untold: Int { losses.reduce(0) { $0 + $1.count } }

    /// Forgets losses of entries that were read before they were lost: all before an index, and what is more than `most`.
    mutating func limitLosses(from index: Int, to most: Int) {
        losses.removeAll { $0.index < index }
        var excess = untold - max(most, 0)
        for position in losses.indices where excess > 0 {
            let read = min(losses[position].count, excess)
            losses[position].count -= read
            excess -= read
        }
        losses.removeAll { $0.count == 0 }
    }

    /// Forgets the losses before an entry, which are told of now; answers how many entries they are.
    mutating func takeLosses(before index: Int) -> Int {
        guard let first = losses.first, first.index <= index else { return 0 }
        let taken = losses.prefix { $0.index <= index }
        losses.removeFirst(taken.count)
        return taken.reduce(0) { $0 + $1.count }
    }
}
