extension JournalFile {
    enum ObjectType {
        static let data: UInt8 = 1
        static let field: UInt8 = 2
        static let entry: UInt8 = 3
        static let dataTable: UInt8 = 4
        static let fieldTable: UInt8 = 5
        static let array: UInt8 = 6
    }

    /// The sizes of objects without their contents.
    enum ObjectStart {
        static let field = 40
        static let entry = 64
        static let array = 24
    }

    /// journald gives an entry 1024 fields at most. An entry that claims more than four times as many is damaged, and these of
    /// them are read.
    static let maxItems = 4096
    /// So many fields may be given more than once. In an entry with more, each is given once: journald lists none twice.
    private static let maxRepeated = 256

    /// journald takes no larger value.
    static let maxValueSize = 768 << 20
    /// Nor larger entries. Few bytes of a file may be as many as these when they are decompressed.
    static let maxEntrySize = maxValueSize + 2 << 20

    /// DATA objects so close before an entry were made with it, most of them.
    private static let neighborhood = 16 << 10

    /// The object at that place, if it has the type and fits into the file. At least `minSize` of its bytes can be
    /// read.
    @inline(__always)
    func object(_ offset: Int, _ type: UInt8, minSize: Int, _ access: FileMemory.Access) -> (
        start: UnsafeRawPointer, size: Int
    )? {
        guard let (held, size) = heldObject(offset, type, minSize: minSize, access), let start = held.baseAddress else {
            return nil
        }
        return (start, size)
    }

    /// The same, with as many of its bytes as are held.
    @inline(__always)
    private func heldObject(_ offset: Int, _ type: UInt8, minSize: Int, _ access: FileMemory.Access) -> (
        held: UnsafeRawBufferPointer, size: Int
    )? {
        guard offset & 7 == 0, offset >= FileHeader.minSize, let held = held(offset, minSize, access),
            let start = held.baseAddress, start.load(as: UInt8.self) == type
        else { return nil }
        let claimed = start.number(at: 8)
        guard claimed >= UInt64(minSize), claimed <= UInt64(size &- offset) else { return nil }
        return (held, Int(claimed))
    }

    /// Lends the first bytes of the object at that place, and its size, if it has the type and fits into the file.
    /// Nothing around them is read along: for objects that lie far from each other.
    private func withDistantObject<Result>(
        _ offset: Int,
        _ type: UInt8,
        _ start: Int,
        _ body: (UnsafeRawPointer, Int) -> Result?
    ) -> Result? {
        guard offset & 7 == 0, offset >= FileHeader.minSize, offset <= size - start else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: start, alignment: 8) { buffer in
            guard let memory = buffer.baseAddress,
                FileReads.read(descriptor, memory, start, at: offset) == start,
                memory.load(as: UInt8.self) == type
            else { return nil }
            let object = UnsafeRawPointer(memory)
            let claimed = object.number(at: 8)
            guard claimed >= UInt64(start), claimed <= UInt64(size - offset) else { return nil }
            return body(object, Int(claimed))
        }
    }

    /// The array of entries at that place: how many slots it has, and the place of the next one.
    func array(at offset: Int) -> (capacity: Int, following: Int)? {
        let start = ObjectStart.array
        return withDistantObject(offset, ObjectType.array, start) { array, size in
            ((size - start) / slotSize, Int(clamping: array.number(at: 16)))
        }
    }

    /// Does the same as ``entry(at:_:)`` for an entry that lies far from those read before and after it.
    func distantEntry(at offset: Int) -> EntryRef? {
        withDistantObject(offset, ObjectType.entry, ObjectStart.entry) { entry(at: offset, $0, size: $1) }
    }

    /// The entry at that place; `nil` if there is none, or it is inconsistent.
    @inline(__always)
    func entry(at offset: Int, _ access: FileMemory.Access) -> EntryRef? {
        guard let (start, size) = object(offset, ObjectType.entry, minSize: ObjectStart.entry, access) else {
            return nil
        }
        return entry(at: offset, start, size: size)
    }

    @inline(__always)
    private func entry(at offset: Int, _ start: UnsafeRawPointer, size: Int) -> EntryRef? {
        let items = size &- ObjectStart.entry
        guard items > 0, items % itemSize == 0 else { return nil }
        var entry = EntryRef()
        entry.offset = offset
        entry.size = min(size, ObjectStart.entry &+ Self.maxItems &* itemSize)
        entry.sequence = start.number(at: 16)
        entry.realtime = start.number(at: 24)
        entry.monotonic = start.number(at: 32)
        entry.boot = ID128(at: start + 40)
        entry.checksum = start.number(at: 56)
        guard entry.sequence > 0, entry.realtime > 0, entry.realtime < 1 << 55, entry.monotonic < 1 << 55 else {
            return nil
        }
        return entry
    }

    /// Lends the entry's fields to `body`, each as `NAME=value`, in the order of the file, until it returns false. A
    /// field is valid until the next one.
    ///
    /// - Returns: how many fields could not be read.
    @inline(__always)
    func forEachField(
        of entry: EntryRef,
        _ access: FileMemory.Access,
        _ body: (UnsafeRawBufferPointer, UnsafeMutablePointer<SharedValues.Value>?) -> Bool
    ) -> Int {
        memory.reserveValues()
        var count = loadItems(of: entry, access)
        guard count > 0 else { return 1 }
        var unreadable = count == Self.maxItems && hasMoreItems(entry) ? 1 : 0
        if count > Self.maxRepeated { count = dropRepeatedItems(of: count) }
        var capacity = Self.maxEntrySize
        var index = 0
        while index < count {
            let offset = Int(truncatingIfNeeded: memory.items[index])
            index &+= 1
            let isNear = isNear(offset, entry)
            var line: UnsafeRawBufferPointer?
            var shared: UnsafeMutablePointer<SharedValues.Value>?
            if isNear, useCount(ofDataAt: offset, access) <= 1 {
                // Read on the way, and kept only if other entries have it, too.
                line = payload(at: offset, access)
            } else if offset > 0, offset < size {
                let key = number << 44 | UInt64(offset)
                shared = memory.values.find(key)
                if shared == nil {
                    line = payload(at: offset, isNear ? access : .spot)
                    shared = line.flatMap { memory.values.add(key, $0) }
                }
                if let shared { line = shared.pointee.bytes }
            }
            guard let line else {
                unreadable += 1
                continue
            }
            capacity &-= line.count
            guard capacity >= 0 else {
                unreadable += 1 + count - index
                return unreadable
            }
            if !body(line, shared) { break }
        }
        keepNewValues(of: entry, from: index, to: count, access)
        return unreadable
    }

    /// Keeps values that the entry is the first to have and later ones have, too. They are held now; later each would
    /// have to be looked up.
    @inline(__always)
    private func keepNewValues(of entry: EntryRef, from first: Int, to count: Int, _ access: FileMemory.Access) {
        guard access == .stream else { return }
        for index in first..<count {
            let offset = Int(truncatingIfNeeded: memory.items[index])
            guard isNear(offset, entry), useCount(ofDataAt: offset, access) > 1 else { continue }
            let key = number << 44 | UInt64(offset)
            guard memory.values.find(key) == nil, let line = payload(at: offset, access) else { continue }
            _ = memory.values.add(key, line)
        }
    }

    @inline(__always)
    private func isNear(_ offset: Int, _ entry: EntryRef) -> Bool {
        UInt(bitPattern: entry.offset &- offset) < UInt(Self.neighborhood)
    }

    /// How many entries have the value, as far as it says.
    @inline(__always)
    private func useCount(ofDataAt offset: Int, _ access: FileMemory.Access) -> UInt64 {
        bytes(offset, 64, access)?.number(at: 56) ?? 0
    }

    private func hasMoreItems(_ entry: EntryRef) -> Bool {
        (object(entry.offset, ObjectType.entry, minSize: ObjectStart.entry, .spot)?.size ?? 0) > entry.size
    }

    /// Lends the places of an entry's fields; `nil` where no entry is.
    func withItems<Result>(
        ofEntryAt offset: Int,
        _ access: FileMemory.Access,
        _ body: (UnsafeBufferPointer<UInt64>) -> Result
    ) -> Result? {
        guard let entry = entry(at: offset, access) else { return nil }
        let count = loadItems(of: entry, access)
        return body(UnsafeBufferPointer(start: memory.items, count: count))
    }

    /// Copies the places of the entry's fields into ``FileMemory/items``; returns how many there are.
    @inline(__always)
    private func loadItems(of entry: EntryRef, _ access: FileMemory.Access) -> Int {
        guard let start = bytes(entry.offset, entry.size, access) else { return 0 }
        let count = (entry.size &- ObjectStart.entry) / itemSize
        let items = memory.items
        if isCompact {
            for index in 0..<count {
                items[index] = UInt64(start.shortNumber(at: ObjectStart.entry &+ 4 &* index))
            }
        } else {
            for index in 0..<count { items[index] = start.number(at: ObjectStart.entry &+ 16 &* index) }
        }
        return count
    }

    /// Leaves of the first places in ``FileMemory/items`` each once; returns how many there are then.
    @inline(never)
    private func dropRepeatedItems(of count: Int) -> Int {
        var seen = Set<UInt64>(minimumCapacity: count)
        var kept = 0
        for index in 0..<count where seen.insert(memory.items[index]).inserted {
            memory.items[kept] = memory.items[index]
            kept += 1
        }
        return kept
    }

    /// `NAME=value` of a DATA object, valid until the next call; `nil` if it cannot be read.
    ///
    /// - Parameter limit: the maximum decompressed size; larger values cannot be read either.
    @inline(__always)
    func payload(at offset: Int, _ access: FileMemory.Access, limit: Int = maxValueSize)
        -> UnsafeRawBufferPointer?
    {
        guard let (held, size) = heldObject(offset, ObjectType.data, minSize: payloadStart, access),
            size > payloadStart,
            let start = size <= held.count ? held.baseAddress : bytes(offset, size, access)
        else { return nil }
        let payload = UnsafeRawBufferPointer(start: start + payloadStart, count: size &- payloadStart)
        let method = start.load(fromByteOffset: 1, as: UInt8.self) & 7
        return method == 0 ? payload : memory.decoder.decode(payload, method: method, of: (key, offset), limit: limit)
    }
}

extension UnsafeRawPointer {
    @inline(__always)
    func number(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    func shortNumber(at offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
