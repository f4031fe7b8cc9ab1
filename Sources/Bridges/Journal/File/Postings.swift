/// The entries that have one value, by their places in the file, as the value's DATA object lists them.
final class Postings {
    // The file holds this list, and outlives it. A reference that is checked would be counted at every step.
    private unowned(unsafe) let file: JournalFile
    /// The place of the DATA object.
    let data: Int
    /// The first entry stands in the object itself, the others in a chain of arrays.
    private let first: Int
    private var blocks: [Block] = []
    let count: Int
    /// An array was damaged, or the value has more entries than it counts.
    private(set) var isDamaged = false
    /// The position that was found last; ``count`` if all places come before the one searched for.
    private var last = 0
    /// The part of the file that was looked up last, and the positions of its places.
    private var known: (part: Range<Int>, positions: Range<Int>)?

    /// Part of the list, in one array of the file.
    private struct Block {
        let items: Int
        let first: Int
        let count: Int
    }

    /// So many places are read together.
    private static let maxInRun = 512

    /// - Parameter data: where the DATA object is.
    init?(_ file: JournalFile, data: Int) {
        guard
            let (start, _) = file.object(data, JournalFile.ObjectType.data, minSize: file.payloadStart, .spot)
        else { return nil }
        self.file = file
        self.data = data
        first = Int(clamping: start.number(at: 40))
        var array = Int(clamping: start.number(at: 48))
        let claimed = Int(clamping: start.number(at: 56))
        guard (first == 0) == (claimed == 0) else { return nil }
        var reached = min(claimed, 1)
        var end = 0
        while reached < claimed, array != 0 {
            guard
                let (start, size) = file.object(
                    array,
                    JournalFile.ObjectType.array,
                    minSize: JournalFile.ObjectStart.array,
                    .spot
                )
            else { return nil }
            let capacity = (size - JournalFile.ObjectStart.array) / file.slotSize
            let next = Int(clamping: start.number(at: 16))
            guard capacity > 0, next == 0 || next >= array + size else { return nil }
            let used = min(capacity, claimed - reached)
            blocks.append(Block(items: array + JournalFile.ObjectStart.array, first: reached, count: used))
            reached += used
            end = array + size
            array = next
        }
        // Entries that could not be linked are not counted, and are there all the same in a file that was full.
        count = reached
        // A further array was not looked at, and may be said to be anywhere.
        var behind = array > 0 ? min(array, file.size) + JournalFile.ObjectStart.array : 0
        if array == 0, let last = blocks.last, last.count < (end - last.items) / file.slotSize {
            behind = last.items + last.count * file.slotSize
        }
        isDamaged = reached < claimed || behind > 0 && leadsToEntry(behind)
    }

    /// Whether a slot behind those that are counted names an entry other than the one that the writer is adding.
    private func leadsToEntry(_ slot: Int) -> Bool {
        guard let place = run(fromSlot: slot, count: 1)?[0] else { return true }
        guard place != 0, !file.header.isArchived else { return place != 0 }
        return file.count > 0 && place < file.offset(at: file.count - 1) ?? .max
    }

    /// The place of one of the entries; `nil`, and the list is damaged, where it cannot be read.
    func offset(at index: Int) -> Int? {
        if index == 0 { return first }
        let place = run(at: index, limit: 1)?[0]
        if place == nil || place == 0 { isDamaged = true }
        return place == 0 ? nil : place
    }

    /// Places that follow each other in the file, from the one after the first on. They are valid until anything else
    /// is read.
    private struct Run {
        let start: UnsafeRawPointer
        let isCompact: Bool
        let count: Int

        @inline(__always)
        subscript(index: Int) -> Int {
            isCompact
                ? Int(start.shortNumber(at: 4 &* index)) : Int(truncatingIfNeeded: start.number(at: 8 &* index))
        }
    }

    private func run(at index: Int, limit: Int) -> Run? {
        let next = BinarySearch.firstIndex(below: blocks.count) { blocks[$0].first > index }
        guard next > 0, case let block = blocks[next - 1], index < block.first + block.count else { return nil }
        let count = min(block.first + block.count - index, limit)
        return run(fromSlot: block.items + (index - block.first) * file.slotSize, count: count)
    }

    private func run(fromSlot slot: Int, count: Int) -> Run? {
        file.bytes(slot, count * file.slotSize, .spot).map {
            Run(start: $0, isCompact: file.isCompact, count: count)
        }
    }

    /// Calls `body` with each place and those behind it, from a position on, until it returns false. Returns the position where it
    /// did; `nil` if a place cannot be read or is not in the file, or they are not sorted.
    @inline(__always)
    private func forEach(from start: Int, _ body: (Int) -> Bool) -> Int? {
        var index = start
        var last = 0
        if index == 0, count > 0 {
            guard first < file.size else {
                isDamaged = true
                return nil
            }
            guard body(first) else { return 0 }
            last = first
            index = 1
        }
        while index < count {
            guard let run = run(at: index, limit: Self.maxInRun) else {
                isDamaged = true
                return nil
            }
            for number in 0..<run.count {
                let place = run[number]
                guard place > last, place < file.size else {
                    isDamaged = true
                    return nil
                }
                guard body(place) else { return index + number }
                last = place
            }
            index += run.count
        }
        return count
    }

    /// The places in part of the file. `nil` if the list cannot be read, or is not sorted.
    ///
    /// A wrong place hides those around it from a search. Where parts follow each other, no position between them is left out; where
    /// they do not, the place that the search went by is compared with its entry.
    ///
    /// - Parameter direction: in which the parts follow each other.
    func places(in range: Range<Int>, _ direction: Direction = .forward) -> [Int]? {
        var places: [Int] = []
        guard let start = self.start(of: range, direction) else { return nil }
        let end = forEach(from: start) { place in
            guard place < range.upperBound else { return false }
            places.append(place)
            return true
        }
        guard let end else { return nil }
        if let known, known.part.lowerBound == range.upperBound {
            guard end == known.positions.lowerBound else { return nil }
        } else if direction == .backward, end < count, !isSorted(around: end) || !isSound(at: end) {
            return nil
        }
        known = (range, start..<end)
        return places
    }

    private func start(of range: Range<Int>, _ direction: Direction) -> Int? {
        if let known, known.part.upperBound == range.lowerBound { return known.positions.upperBound }
        guard let start = index(from: range.lowerBound) else { return nil }
        return direction == .forward && start > 0 && !isSound(at: start - 1) ? nil : start
    }

    /// Whether the entry at a position has the value.
    func isSound(at index: Int) -> Bool {
        offset(at: index).flatMap { place in
            file.withItems(ofEntryAt: place, .spot) { $0.contains(UInt64(data)) }
        } ?? false
    }

    /// The given sorted places that are in the list. `nil` if it cannot be read.
    func filter(_ places: [Int]) -> [Int]? {
        var found: [Int] = []
        var wanted = 0
        while wanted < places.count {
            guard let start = index(from: places[wanted]) else { return nil }
            if start == count { return found }
            // The next place that is wanted is read on to if it is near, and looked up otherwise.
            var passed = 0
            let end = forEach(from: start) { place in
                while wanted < places.count, places[wanted] < place { wanted += 1 }
                guard wanted < places.count else { return false }
                if places[wanted] == place {
                    found.append(place)
                    wanted += 1
                    passed = 0
                } else {
                    passed += 1
                }
                return wanted < places.count && passed < Self.maxInRun
            }
            guard let end, isSorted(around: end) else { return nil }
        }
        return found
    }

    /// The position of the first place that is at `offset` or behind it. `nil` if a place on the way cannot be read.
    private func index(from offset: Int) -> Int? {
        var low = 0
        var high = count
        // When reading on, it is the one found last or not far behind.
        if last < count, let known = self.offset(at: last) {
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
        let found = BinarySearch.firstIndex(in: low..<high) { index in self.offset(at: index).map { $0 >= offset } }
        guard let found, isSorted(around: found) else { return nil }
        last = found
        return found
    }

    /// Whether the places around a position are. One that is not may have misled a search.
    private func isSorted(around index: Int) -> Bool {
        var last = 0
        for index in max(index - 2, 0)..<min(index + 2, count) {
            guard let place = offset(at: index), place > last else { return false }
            last = place
        }
        return true
    }

    /// The position of the first entry for which `isBehind` returns true. `nil` if an entry on the way cannot be
    /// read, or has not the value.
    func firstIndex(where isBehind: (EntryRef) -> Bool) -> Int? {
        BinarySearch.firstIndex(in: 0..<count) { index in
            guard isSorted(around: index), isSound(at: index) else { return nil }
            return offset(at: index).flatMap { file.entry(at: $0, .spot) }.map(isBehind)
        }
    }
}

extension JournalFile {
    /// Calls `body` with the list of each value until it returns false. Returns false then, and where a list is damaged, or they
    /// are longer than the file has room for, because they share arrays.
    func forEachList(of values: [Int], _ body: (Postings) -> Bool) -> Bool {
        var slotsLeft = size / slotSize
        return values.allSatisfy { value in
            guard let postings = Postings(self, data: value), !postings.isDamaged else { return false }
            slotsLeft -= postings.count
            return slotsLeft >= 0 && body(postings)
        }
    }
}

/// The direction in which a journal is read.
enum Direction {
    case forward
    case backward
}
