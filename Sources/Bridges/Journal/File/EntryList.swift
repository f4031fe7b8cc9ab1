/// The entries of one file in their order, by their places in it: those in the file's chain of arrays, or those that
/// were found where the chain is damaged.
struct EntryList {
    /// The part of an array that is in use.
    private struct Block {
        /// The place of its first slot.
        let items: Int
        /// How many slots there are before it.
        let first: Int
        let capacity: Int
        var count: Int
    }

    /// journald makes each array larger than the one before, so it never makes so many.
    private static let maxLinearBlocks = 1024

    private var blocks: [Block] = []
    /// The array that follows the last block; 0 if none is known.
    private var following = 0
    /// How many entries the file's header counts.
    private(set) var claimed = 0
    /// Whether the file is large enough for so many.
    private(set) var isClaimPossible = true
    /// How many of them the chain leads to.
    private var reachable = 0

    /// The entries found in place of the first `replaced` slots, each place divided by 8. These may be more slots than the chain
    /// leads to yet.
    private var found: [UInt32] = []
    private var replaced = 0
    /// The entries that are missing and not reported yet.
    var losses = EntryLosses()
    /// How often the whole file was searched.
    private(set) var repairs = 0
    /// How many of the counted entries are missing, and were reported.
    private var givenUp = 0

    /// The slot of an entry's index: `nil` for entries that were found elsewhere.
    var slotsBehind: (first: Int, shift: Int) { (found.count, replaced - found.count) }

    /// How many entries there are.
    var count: Int { found.count + max(reachable - replaced, 0) }

    /// Whether the chain leads to as many entries as the header counts.
    var isComplete: Bool { reachable == claimed }

    /// How many entries are counted that the chain does not lead to, and that were neither found otherwise nor given up.
    var unlisted: Int { max(claimed - max(reachable, replaced, givenUp), 0) }

    /// Gives up the entries that are not listed; returns how many they are.
    mutating func giveUpUnlisted() -> Int {
        defer { givenUp = claimed }
        return unlisted
    }

    /// Adds the entries that were added to the file.
    mutating func extend(_ file: JournalFile) {
        let count = Int(clamping: file.header.entryCount)
        guard count > claimed || reachable < claimed else { return }
        // There cannot be more slots than the file has ever been large enough for.
        let maxSlots = file.peakSize / file.slotSize
        isClaimPossible = count <= maxSlots
        claimed = max(min(count, maxSlots), claimed)
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
            guard let array = file.array(at: last.items - JournalFile.ObjectStart.array) else { return nil }
            following = array.following
        }
        let offset = following
        // An array lies behind the one before. Going back would be going round.
        let end = blocks.last.map { $0.items + $0.capacity * file.slotSize } ?? 0
        guard offset >= end, let array = file.array(at: offset), array.capacity > 0 else {
            // It may be written yet.
            following = 0
            return nil
        }
        following = array.following
        return Block(
            items: offset + JournalFile.ObjectStart.array,
            first: reachable,
            capacity: array.capacity,
            count: min(array.capacity, claimed - reachable)
        )
    }

    /// The place of an entry; `nil` where the slot cannot be read or is empty.
    @inline(__always)
    func offset(at index: Int, _ file: JournalFile) -> Int? {
        if index < found.count { return Int(found[index]) << 3 }
        return slot(index - found.count + replaced, file)
    }

    /// Does the same as ``orderedOffset(at:_:)`` for an entry that lies far from those looked up before and after it: its slot and
    /// the neighbors are read alone.
    func distantOffset(at index: Int, _ file: JournalFile) -> Int? {
        let slot = index - found.count + replaced
        guard index > found.count, index + 1 < count, file.slots.offset(at: slot, file.key) == nil,
            let block = block(of: slot), slot > block.first, slot + 1 < block.first + block.count
        else { return orderedOffset(at: index, file) }
        let (size, place) = (file.slotSize, block.items + (slot - 1 - block.first) * file.slotSize)
        return withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { buffer in
            guard let memory = buffer.baseAddress,
                FileReads.read(file.descriptor, memory, 3 * size, at: place) == 3 * size
            else { return nil }
            let bytes = UnsafeRawPointer(memory)
            func offset(_ number: Int) -> UInt64 {
                size == 4 ? UInt64(bytes.shortNumber(at: 4 * number)) : bytes.number(at: 8 * number)
            }
            guard offset(0) < offset(1), offset(1) < offset(2) || offset(2) == 0 else { return nil }
            return Int(clamping: offset(1))
        }
    }

    @inline(__always)
    private func slot(_ index: Int, _ file: JournalFile) -> Int? {
        if let offset = file.slots.offset(at: index, file.key) { return offset }
        guard let block = block(of: index), index < block.first + block.count else { return nil }
        file.slots.load(index - block.first, of: block.count, from: block.items, before: block.first, file)
        return file.slots.offset(at: index, file.key)
    }

    /// The last block that begins with that slot or before it. Nearly always there are few, and it is the last one.
    private func block(of index: Int) -> Block? {
        if let last = blocks.last, last.first <= index { return last }
        let next = BinarySearch.firstIndex(below: blocks.count) { blocks[$0].first > index }
        return next > 0 ? blocks[next - 1] : nil
    }

    /// The place of an entry; `nil` where its slot leads elsewhere, and its neighbors reveal that.
    func orderedOffset(at index: Int, _ file: JournalFile) -> Int? {
        guard let offset = offset(at: index, file), index == 0 || self.offset(at: index - 1, file) ?? 0 < offset,
            index + 1 >= count || offset < self.offset(at: index + 1, file) ?? .max
        else { return nil }
        return offset
    }

    /// The first entry that is at `offset` or behind it. `nil` if a slot on the way leads elsewhere: it would mislead the search.
    func index(from offset: Int, _ file: JournalFile) -> Int? {
        let found = BinarySearch.firstIndex(in: 0..<count) { index in
            orderedOffset(at: index, file).map { $0 >= offset }
        }
        // A place between those of its neighbors may still be too low by less than an entry.
        guard let found, found == 0 || entry(at: found - 1, file) != nil else { return nil }
        return found
    }

    /// The first index for which `isBehind` returns true, as libsystemd searches: array by array, then by
    /// binary search. The order matters only where the results are not sorted. `nil` if an entry on the way cannot be read.
    func firstIndex(_ file: JournalFile, where isBehind: (EntryRef) -> Bool) -> Int? {
        var low = 0
        var high = count
        if repairs == 0, blocks.count <= Self.maxLinearBlocks {
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
        return BinarySearch.firstIndex(in: low..<high) { entry(at: $0, file).map(isBehind) }
    }

    /// An entry by which a search goes; `nil` where its slot leads elsewhere, which would mislead the search.
    func entry(at index: Int, _ file: JournalFile) -> EntryRef? {
        orderedOffset(at: index, file).flatMap { file.entry(at: $0, .spot) }
    }

    /// Searches the whole file, and replaces unreadable entries with those found.
    mutating func repair(_ file: JournalFile) {
        repairs += 1
        let repair = EntryRepair(file, runs: blocks.lazy.map { ($0.items, $0.count) }, claimed: claimed)
        found = repair.found
        replaced = claimed
        losses.replace(with: repair.losses)
    }

    /// The latest possible end of the entry, from the start of the next one; known only for entries that were found
    /// by searching the whole file.
    func limit(ofEntryAt index: Int) -> Int {
        index >= 0 && index + 1 < found.count ? Int(found[index + 1] - found[index]) << 3 : .max
    }
}
