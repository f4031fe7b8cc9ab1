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
    /// An array was damaged.
    private(set) var isDamaged = false
    /// The position that was found last; ``count`` if all places come before the one searched for.
    private var last = 0

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
            guard capacity > 0, next == 0 || next > array else { return nil }
            let used = min(capacity, claimed - reached)
            blocks.append(Block(items: array + JournalFile.ObjectStart.array, first: reached, count: used))
            reached += used
            array = next
        }
        // Entries that could not be linked are not counted, and are there all the same in a file that was full.
        count = reached
        isDamaged = reached < claimed
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
        let size = file.slotSize
        guard let start = file.bytes(block.items + (index - block.first) * size, count * size, .spot) else {
            return nil
        }
        return Run(start: start, isCompact: file.isCompact, count: count)
    }

    /// Calls `body` with each place and those behind it, from a position on, until it returns false. Returns false if
    /// a place cannot be read, or they are not sorted.
    @inline(__always)
    private func forEach(from start: Int, _ body: (Int) -> Bool) -> Bool {
        var index = start
        var last = 0
        if index == 0, count > 0 {
            guard body(first) else { return true }
            last = first
            index = 1
        }
        while index < count {
            guard let run = run(at: index, limit: Self.maxInRun) else {
                isDamaged = true
                return false
            }
            for number in 0..<run.count {
                let place = run[number]
                guard place > last else {
                    isDamaged = true
                    return false
                }
                guard body(place) else { return true }
                last = place
            }
            index += run.count
        }
        return true
    }

    /// The places in part of the file. `nil` if the list cannot be read, or is not sorted.
    func places(in range: Range<Int>) -> [Int]? {
        var places: [Int] = []
        let isWhole = index(from: range.lowerBound).map { start in
            forEach(from: start) { place in
                guard place < range.upperBound else { return false }
                places.append(place)
                return true
            }
        }
        return isWhole == true ? places : nil
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
            let isWhole = forEach(from: start) { place in
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
            guard isWhole else { return nil }
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
        if let found { last = found }
        return found
    }

    /// The position of the first entry for which `isBehind` returns true. `nil` if an entry on the way cannot be
    /// read.
    func firstIndex(where isBehind: (EntryRef) -> Bool) -> Int? {
        BinarySearch.firstIndex(in: 0..<count) { index in
            offset(at: index).flatMap { file.entry(at: $0, .spot) }.map(isBehind)
        }
    }
}

/// The direction in which a journal is read.
enum Direction {
    case forward
    case backward
}
