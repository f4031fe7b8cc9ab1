/// Finds the entries of a damaged file, by its slots and by going through it, and where among them some are missing.
struct EntryRepair {
    /// The places of the entries, each divided by 8, in their order in the file.
    private(set) var found: [UInt32] = []
    private(set) var losses: [(index: Int, count: Int)] = []

    /// The slots, one after the other: a place divided by 8, or, negative, the number of slots without one.
    private var slots: [Int] = []

    private static let chunk = 4096

    /// - Parameters:
    ///   - runs: where slots are in the file, and how many.
    ///   - claimed: how many entries the header counts.
    init(_ file: JournalFile, runs: some Sequence<(items: Int, count: Int)>, claimed: Int) {
        for run in runs { addSlots(file, run.items, run.count) }
        // Each place is read once and in the order of the file, whatever the order of the slots.
        let minSize = (JournalFile.ObjectStart.entry + file.itemSize) >> 3
        let named = Self.merged(slots.filter { $0 > 0 }.compactMap { UInt32(exactly: $0) }) {
            file.entry(at: Int($0) << 3, .stream) != nil
        }
        var scan = EntryScan(file)
        var last = -minSize
        found = Self.merged(named + scan.entries()) { place in
            // None can begin within another one.
            guard Int(place) - last >= minSize else { return false }
            last = Int(place)
            return true
        }
        if slots.reduce(0, { $0 + max(-$1, 1) }) == claimed {
            dropUncounted(file)
        } else if file.header.state == 1, found.count > claimed, found.last != named.last {
            // The writer is adding it.
            found.removeLast()
        }
        findLosses(claimed)
    }

    private static func merged(_ places: [UInt32], where isWanted: (UInt32) -> Bool) -> [UInt32] {
        var last: UInt32?
        return places.sorted().filter { place in
            defer { last = place }
            return place != last && isWanted(place)
        }
    }

    private mutating func addSlots(_ file: JournalFile, _ items: Int, _ count: Int) {
        var index = 0
        while index < count {
            // A hole in the file, which may be as large as a disk, is empty slots.
            let hole = min((file.nextData(from: items + index * file.slotSize) - items) / file.slotSize, count) - index
            if hole > 0 {
                addEmpty(hole)
                index += hole
                continue
            }
            let wanted = min(Self.chunk, count - index)
            let read = withUnsafeTemporaryAllocation(byteCount: Self.chunk * 8, alignment: 8) { buffer -> Int in
                guard let start = buffer.baseAddress else { return 0 }
                let place = items + index * file.slotSize
                let read = FileReads.read(file.descriptor, start, wanted * file.slotSize, at: place) / file.slotSize
                for index in 0..<read {
                    addSlot(
                        file.isCompact
                            ? UInt64(UnsafeRawPointer(start).shortNumber(at: 4 * index))
                            : UnsafeRawPointer(start).number(at: 8 * index)
                    )
                }
                return read
            }
            index += read
            if read < wanted {
                addEmpty(count - index)
                return
            }
        }
    }

    private mutating func addSlot(_ offset: UInt64) {
        guard offset > 0, offset & 7 == 0, let place = UInt32(exactly: offset >> 3) else { return addEmpty(1) }
        slots.append(Int(place))
    }

    private mutating func addEmpty(_ count: Int) {
        if let last = slots.last, last < 0 {
            slots[slots.count - 1] = last - count
        } else {
            slots.append(-count)
        }
    }

    /// Entries that the writer is adding are not counted yet, and are found by their slots when they are.
    private mutating func dropUncounted(_ file: JournalFile) {
        guard file.header.state == 1, let last = slots.last, last > 0, let place = UInt32(exactly: last),
            case let index = Self.lowerBound(found, place), index < found.count, found[index] == place,
            slots.allSatisfy({ $0 <= last })
        else { return }
        found.removeLast(found.count - index - 1)
    }

    private mutating func findLosses(_ claimed: Int) {
        var missing = claimed - found.count
        guard missing > 0 else { return }
        var index = 0
        var empty = 0
        for slot in slots {
            guard let place = UInt32(exactly: slot), case let next = Self.lowerBound(found, place), next >= index,
                next < found.count, found[next] == place
            else {
                empty += max(-slot, 1)
                continue
            }
            // So many entries were found in place of those whose slots cannot be read.
            let lost = min(empty - (next - index), missing)
            if lost > 0 {
                losses.append((next, lost))
                missing -= lost
            }
            empty = 0
            index = next + 1
        }
        if missing > 0 { losses.append((found.count, missing)) }
    }

    private static func lowerBound(_ sorted: [UInt32], _ value: UInt32) -> Int {
        BinarySearch.firstIndex(below: sorted.count) { sorted[$0] >= value }
    }
}
