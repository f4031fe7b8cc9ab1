import Glibc

/// Goes through the objects of a file in their order, tests the values among them, and finds the entries of the
/// values that pass. Each value is tested once, however many entries have it.
///
/// It reads with memory of its own, so that several can be at work on different threads. Each is used by one at a time.
final class ValuePass {
    private let descriptor: OpenDescriptor
    private let isCompact: Bool
    private let payloadStart: Int
    /// Entries are being added to the file.
    private let isLive: Bool
    private let testing: ValueTesting
    private let memories: PassMemories
    // One thread at a time has the pass; hence no exclusivity checks of properties that are touched for every value.
    /// Set while the pass is running.
    @exclusivity(unchecked) private var memory: PassMemory?
    /// From where on the buffer holds the file, and how many bytes.
    @exclusivity(unchecked) private var start = 0
    @exclusivity(unchecked) private var heldCount = 0
    /// The last value in the buffer that is known to belong to the field that is tested; its start if none is.
    @exclusivity(unchecked) private var lastOfField = 0
    /// Compressed values behind that one, whose field is not known.
    @exclusivity(unchecked) private var waiting: [Int] = []

    /// The next object.
    @exclusivity(unchecked) private(set) var position: Int
    /// The end of the pass: the place of an entry.
    private let end: Int
    /// Entries from this place on are not wanted.
    private let entriesEnd: Int
    /// How many slots the lists of values may have, unless they share arrays.
    @exclusivity(unchecked) private var slotsLeft: Int
    /// The last entry that was passed, and how many were.
    @exclusivity(unchecked) private(set) var lastEntry = 0
    @exclusivity(unchecked) private(set) var entryCount = 0
    /// The file is damaged; from here on it is to be read entry by entry.
    @exclusivity(unchecked) private(set) var isDamaged = false
    /// The places of entries with values that passed, each perhaps several times and in no order.
    @exclusivity(unchecked) private(set) var found: [Int] = []

    init(
        _ file: JournalFile,
        from start: Int,
        to end: Int,
        entriesTo entriesEnd: Int,
        _ testing: ValueTesting,
        _ memories: PassMemories
    ) {
        self.memories = memories
        descriptor = file.openDescriptor
        isCompact = file.isCompact
        payloadStart = file.payloadStart
        isLive = file.header.state == 1
        self.testing = testing
        position = start
        self.end = end
        self.entriesEnd = entriesEnd
        slotsLeft = file.size / file.slotSize
    }

    var isOver: Bool { isDamaged || position >= end }

    func takeFound() -> [Int] {
        defer { found.removeAll(keepingCapacity: true) }
        return found
    }

    /// Goes on for the bytes of one buffer.
    func advance() {
        guard !isOver else { return }
        goOn()
        guard isOver || found.count > Self.maxFound else { return }
        if found.count > Self.maxFound { isDamaged = true }
        if let memory { memories.give(back: memory) }
        memory = nil
    }

    /// More of them are not found by their values in good time.
    private static let maxFound = 1 << 17

    private func goOn() {
        goThroughBuffer()
        // No link has shown the field of these values.
        for place in waiting where !isDamaged { isDamaged = !testCompressed(at: place) }
        waiting.removeAll(keepingCapacity: true)
    }

    private func goThroughBuffer() {
        let held = self.memory ?? memories.take()
        self.memory = held
        let buffer = held.buffer
        heldCount = FileReads.read(descriptor.opened(), buffer, PassMemory.capacity, at: position)
        guard heldCount >= Self.headerSize else {
            isDamaged = true
            return
        }
        start = position
        lastOfField = start
        let memory = UnsafeRawPointer(buffer)
        // For an object at this place or before it, enough bytes are held.
        let last = start + heldCount - Self.headerSize
        while position <= last, position < end {
            let object = memory + (position - start)
            let first = object.number(at: 0)
            let size = object.number(at: 8)
            let type = UInt8(truncatingIfNeeded: first)
            // Type, flags, and six bytes that are always 0.
            guard first >> 16 == 0, type &- 1 < 7, size >= 16, size <= UInt64(end - position) else {
                isDamaged = true
                return
            }
            if type == JournalFile.ObjectType.data {
                switch test(object, flags: UInt8(truncatingIfNeeded: first >> 8), size: Int(size)) {
                case .passed: isDamaged = !addEntries(of: object, at: position)
                case .failed: break
                case .cut where position > start: return
                case .cut:
                    lastOfField = position
                    isDamaged = !addEntries(of: object, at: position)
                case .damaged: isDamaged = true
                }
                if isDamaged { return }
            } else if type == JournalFile.ObjectType.entry {
                lastEntry = position
                entryCount += 1
            }
            position += (Int(size) + 7) & ~7
        }
        isDamaged = position > end
    }

    /// The part of an object that shows its kind and its field.
    private static let headerSize = 80

    // MARK: One value

    private enum Outcome {
        case passed
        case failed
        /// It is not whole in the buffer.
        case cut
        case damaged
    }

    @inline(__always)
    private func test(_ object: UnsafeRawPointer, flags: UInt8, size: Int) -> Outcome {
        // Without a value; entries that have it are evaluated.
        guard size > payloadStart else { return .passed }
        if flags == 0, !testing.isWanted(object.number(at: payloadStart)) { return .failed }
        return testWhole(object, flags, size)
    }

    @inline(never)
    private func testWhole(_ object: UnsafeRawPointer, _ flags: UInt8, _ size: Int) -> Outcome {
        guard size <= held(behind: object) else { return .cut }
        guard flags == 0 else {
            guard testing.isOfOneField else { return holds(object, size, at: position) ? .passed : .failed }
            waiting.append(position)
            return .failed
        }
        let payload = UnsafeRawBufferPointer(start: object + payloadStart, count: size - payloadStart)
        if testing.isOfOneField {
            guard testing.isOfField(payload) else { return .failed }
            if !waiting.isEmpty, !testWaiting(before: object) { return .damaged }
            lastOfField = position
        }
        return testing.holds(payload) ? .passed : .failed
    }

    /// Tests the waiting values that belong to the field, without decompressing the others: each value names the
    /// previous one of its field. False where the file is damaged.
    private func testWaiting(before object: UnsafeRawPointer) -> Bool {
        defer { waiting.removeAll(keepingCapacity: true) }
        var place = Int(clamping: object.number(at: 32))
        while let index = waiting.lastIndex(of: place) {
            waiting.removeLast(waiting.count - index)
            guard testCompressed(at: place) else { return false }
            place = Int(clamping: self.object(at: place).number(at: 32))
        }
        return place <= lastOfField
    }

    /// False where the file is damaged.
    private func testCompressed(at place: Int) -> Bool {
        let object = object(at: place)
        return !holds(object, Int(object.number(at: 8)), at: place) || addEntries(of: object, at: place)
    }

    /// The object there, which the buffer holds.
    private func object(at place: Int) -> UnsafeRawPointer {
        guard let memory else { preconditionFailure("values wait only while there is a buffer") }
        return UnsafeRawPointer(memory.buffer) + (place - start)
    }

    /// Whether a compressed value passes. If it cannot be decompressed here, its entries are evaluated.
    private func holds(_ object: UnsafeRawPointer, _ size: Int, at place: Int) -> Bool {
        let payload = UnsafeRawBufferPointer(start: object + payloadStart, count: size - payloadStart)
        let method = object.load(fromByteOffset: 1, as: UInt8.self) & 7
        let line = memory?.decoder.decode(payload, method: method, of: (1, place), limit: Self.maxDecoded)
        return line.map { testing.holds($0) } ?? true
    }

    /// How many bytes of the file the buffer holds from an object on.
    private func held(behind object: UnsafeRawPointer) -> Int {
        memory.map { heldCount - (object - UnsafeRawPointer($0.buffer)) } ?? 0
    }

    private static let maxDecoded = 4 << 20

    // MARK: The entries of a value

    /// False where the file is damaged.
    private func addEntries(of object: UnsafeRawPointer, at data: Int) -> Bool {
        let first = Int(clamping: object.number(at: 40))
        var array = Int(clamping: object.number(at: 48))
        let count = Int(clamping: object.number(at: 56))
        // A value may be left over from an entry that was not completely written.
        if count == 0 { return first == 0 && array == 0 }
        guard first > data, hasItem(data, inEntryAt: first) else { return false }
        if first < entriesEnd { found.append(first) }
        var left = count - 1
        var last = first
        while left > 0 {
            guard slotsLeft >= 0, found.count <= Self.maxFound,
                let (next, used) = addSlots(of: array, left, data, &last), next == 0 || next > array
            else { return false }
            left -= used
            slotsLeft -= used
            array = next
        }
        return array == 0 || isLive
    }

    /// Adds as many entries of an array as are left; returns where the next array is, and how many entries there
    /// were.
    ///
    /// - Parameter last: the place before them.
    private func addSlots(of array: Int, _ left: Int, _ data: Int, _ last: inout Int) -> (next: Int, used: Int)? {
        withUnsafeTemporaryAllocation(byteCount: Self.slotBytes, alignment: 8) { memory in
            guard array > 0, let start = memory.baseAddress,
                FileReads.read(descriptor.opened(), start, JournalFile.ObjectStart.array, at: array)
                    == JournalFile.ObjectStart.array
            else { return nil }
            let header = UnsafeRawPointer(start)
            let size = header.number(at: 8)
            let next = Int(clamping: header.number(at: 16))
            guard header.load(as: UInt8.self) == JournalFile.ObjectType.array, size < UInt64(JournalFile.maxValueSize)
            else { return nil }
            let slot = isCompact ? 4 : 8
            let capacity = (Int(size) - JournalFile.ObjectStart.array) / slot
            guard capacity > 0 else { return nil }
            let used = min(capacity, left)
            // The slot behind those in use shows whether so many are.
            let wanted = min(capacity, used + 1)
            var index = 0
            while index < wanted {
                let batch = min(wanted - index, Self.slotBytes / slot)
                let place = array + JournalFile.ObjectStart.array + index * slot
                guard FileReads.read(descriptor.opened(), start, batch * slot, at: place) == batch * slot else {
                    return nil
                }
                for number in 0..<batch {
                    let offset =
                        isCompact ? UInt64(header.shortNumber(at: 4 * number)) : header.number(at: 8 * number)
                    let isUsed = index + number < used
                    guard isUsed ? offset != 0 : offset == 0 || isLive else { return nil }
                    guard isUsed else { continue }
                    guard offset > UInt64(last), let place = Int(exactly: offset) else { return nil }
                    // The first of those that are not wanted is read, too: it may be a wrong place.
                    if last < entriesEnd {
                        guard hasItem(data, inEntryAt: place) else { return nil }
                        if place < entriesEnd { found.append(place) }
                    }
                    last = place
                }
                index += batch
            }
            return (used == left && next == 0 ? 0 : next, used)
        }
    }

    private static let slotBytes = 4096

    /// Whether the entry names the value as one of its own. A list that is damaged may lead to another entry.
    private func hasItem(_ data: Int, inEntryAt offset: Int) -> Bool {
        if offset >= start, offset - start <= heldCount - Self.smallEntry,
            let found = hasItem(data, object(at: offset), Self.smallEntry)
        {
            return found
        }
        return hasItem(data, inEntryAt: offset, Self.smallEntry) ?? hasItem(data, inEntryAt: offset, Self.largeEntry)
            ?? true
    }

    /// Most entries are not larger.
    private static let smallEntry = 1 << 10
    /// If an entry has more fields, only the first ones are checked.
    private static let largeEntry = 8 << 10

    private func hasItem(_ data: Int, inEntryAt offset: Int, _ count: Int) -> Bool? {
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { memory in
            guard let start = memory.baseAddress else { return false }
            let read = FileReads.read(descriptor.opened(), start, count, at: offset)
            memset(start + read, 0, count - read)
            return hasItem(data, UnsafeRawPointer(start), count)
        }
    }

    /// `nil` where it is not among the items that are held, for a larger entry.
    private func hasItem(_ data: Int, _ entry: UnsafeRawPointer, _ held: Int) -> Bool? {
        let size = entry.number(at: 8)
        guard entry.load(as: UInt8.self) == JournalFile.ObjectType.entry, size > UInt64(JournalFile.ObjectStart.entry)
        else { return false }
        let itemSize = isCompact ? 4 : 16
        let end = Int(min(size, UInt64(held)))
        for item in stride(from: JournalFile.ObjectStart.entry, to: end - itemSize + 1, by: itemSize) {
            let offset = isCompact ? UInt64(entry.shortNumber(at: item)) : entry.number(at: item)
            if offset == UInt64(data) { return true }
        }
        return size > UInt64(held) ? nil : false
    }
}
