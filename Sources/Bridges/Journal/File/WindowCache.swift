import Glibc

/// Parts of files, read into memory that is used again and again.
///
/// A file is divided into windows of equal size. Each window is read with some bytes behind its end, so that an
/// object that begins in it is complete in most cases. At first only 2 KiB around the place are read, and the whole window when more of
/// it is needed: a binary search looks at most windows once. For reading on, a window is read whole if its neighbor is held.
/// For looking up, only after some of its parts were read, because values that lie far apart are not worth a window each.
///
/// Reading copies bytes that the kernel holds already; in exchange a file that becomes shorter gives a short read, where a mapped
/// file would give a signal.
///
/// It is a view of memory that its ``FileMemory`` owns, belongs to one reader and is touched by one thread. A class would be
/// retained and released for every object that is read.
struct WindowCache: BitwiseCopyable {
    /// Windows are found by their tag: the file's key and the window's number in it.
    private let tags: UnsafeMutablePointer<UInt64>
    /// How many bytes each window holds.
    private let counts: UnsafeMutablePointer<Int>
    /// The held parts of windows that were not read whole.
    private let parts: UnsafeMutablePointer<Part>
    /// The window of each set that is replaced next.
    private let victims: UnsafeMutablePointer<UInt8>
    private let memory: UnsafeMutableRawPointer
    private let strideBits: UInt64
    private let length: Int
    /// How many parts of a window are read before the whole of it.
    private let maxParts: Int
    /// Whether a window is read whole if its neighbor is held.
    private let readsOn: Bool
    private let setBits: UInt64
    private var slotCount: Int { Self.ways << Int(setBits) }

    private struct Part: BitwiseCopyable {
        var tag: UInt64 = 0
        var start = 0
        var end = 0
        /// How many parts of the window were read.
        var count = 0
    }

    private static let ways = 4
    /// How many bytes of a window are read at first, on each side of the place.
    private static let half = 1 << 10
    /// Parts are read in multiples of so many bytes.
    private static let step = 256
    /// A window's number in its file has this many bits at most.
    static let numberBits: UInt64 = 30

    /// - Parameters:
    ///   - strideBits: the size of a window is two to this power.
    ///   - overlap: how many bytes are read behind the end of a window.
    ///   - setBits: the cache holds four times two to this power windows.
    ///   - access: what it is used for.
    init(strideBits: Int, overlap: Int, setBits: Int, for access: FileMemory.Access) {
        readsOn = access == .stream
        maxParts = readsOn ? 1 : 4
        self.strideBits = UInt64(strideBits)
        self.setBits = UInt64(setBits)
        length = 1 << strideBits + overlap
        let count = Self.ways << setBits
        tags = .allocate(capacity: count)
        tags.initialize(repeating: 0, count: count)
        counts = .allocate(capacity: count)
        counts.initialize(repeating: 0, count: count)
        parts = .allocate(capacity: count)
        parts.initialize(repeating: Part(), count: count)
        victims = .allocate(capacity: 1 << setBits)
        victims.initialize(repeating: 0, count: 1 << setBits)
        // Pages that are never written to take no memory.
        memory = .allocate(byteCount: count * length, alignment: 4096)
    }

    /// Gives the memory back. No copy can be used any more.
    func deallocate() {
        tags.deallocate()
        counts.deallocate()
        parts.deallocate()
        victims.deallocate()
        memory.deallocate()
    }

    /// The bytes, and the held bytes behind them, valid until the next call; `nil` where a window cannot hold them or
    /// the file does not have them.
    ///
    /// - Parameter key: the file's; its lower ``numberBits`` bits are 0.
    @inline(__always)
    func bytes(_ key: UInt64, _ descriptor: Int32, _ offset: Int, _ count: Int) -> UnsafeRawBufferPointer? {
        let tag = key &+ UInt64(bitPattern: Int64(offset)) >> strideBits
        let set = set(of: tag)
        let first = set &* Self.ways
        let start = offset & (1 << Int(strideBits) &- 1)
        for slot in first..<first &+ Self.ways where tags[slot] == tag {
            // Callers bound offset and count, and a count is never negative.
            guard start &+ count <= counts[slot] else { return nil }
            return UnsafeRawBufferPointer(start: memory + (slot &* length &+ start), count: counts[slot] &- start)
        }
        return fill(tag, set, descriptor, offset &- start, start, count)
    }

    @inline(__always)
    private func set(of tag: UInt64) -> Int { Int((tag &* 0x9E37_79B9_7F4A_7C15) >> (64 &- setBits)) }

    private func slots(of set: Int) -> Range<Int> { set * Self.ways..<(set + 1) * Self.ways }

    /// Whether the window is held whole.
    private func holds(_ tag: UInt64) -> Bool { slots(of: set(of: tag)).contains { tags[$0] == tag } }

    @inline(never)
    private func fill(_ tag: UInt64, _ set: Int, _ descriptor: Int32, _ offset: Int, _ start: Int, _ count: Int)
        -> UnsafeRawBufferPointer?
    {
        if let held = slots(of: set).first(where: { parts[$0].tag == tag }) {
            let part = parts[held]
            if start >= part.start, start + count <= part.end {
                return bytes(of: held, from: start - part.start, to: part.end - part.start)
            }
            guard descriptor >= 0 else { return nil }
            if count > Self.half || part.count >= maxParts {
                return fill(held, tag, descriptor, offset, start, count)
            }
            return readPart(held, tag, descriptor, offset, start, count)
        }
        // The file may be closed for a while.
        guard descriptor >= 0 else { return nil }
        let slot = set * Self.ways + Int(victims[set])
        victims[set] = (victims[set] + 1) % UInt8(Self.ways)
        if count > Self.half || readsOn && (holds(tag - 1) || holds(tag + 1)) {
            return fill(slot, tag, descriptor, offset, start, count)
        }
        parts[slot].count = 0
        return readPart(slot, tag, descriptor, offset, start, count)
    }

    /// Reads the bytes around the place. An entry's values lie before it. They lie where the window's first bytes would, so
    /// that parts of many windows take few pages of memory.
    private func readPart(
        _ slot: Int,
        _ tag: UInt64,
        _ descriptor: Int32,
        _ offset: Int,
        _ start: Int,
        _ count: Int
    ) -> UnsafeRawBufferPointer? {
        tags[slot] = 0
        let first = max(start - Self.half, 0) & ~(Self.step - 1)
        let wanted = min(start + Self.half, length) - first
        let read = FileReads.read(descriptor, memory + slot * length, wanted, at: offset + first)
        parts[slot] = Part(tag: tag, start: first, end: first + read, count: parts[slot].count + 1)
        return start + count <= first + read ? bytes(of: slot, from: start - first, to: read) : nil
    }

    /// Reads the whole window.
    private func fill(_ slot: Int, _ tag: UInt64, _ descriptor: Int32, _ offset: Int, _ start: Int, _ count: Int)
        -> UnsafeRawBufferPointer?
    {
        tags[slot] = 0
        parts[slot].tag = 0
        counts[slot] = FileReads.read(descriptor, memory + slot * length, length, at: offset)
        tags[slot] = tag
        return start + count <= counts[slot] ? bytes(of: slot, from: start, to: counts[slot]) : nil
    }

    private func bytes(of slot: Int, from start: Int, to end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + (slot * length + start), count: end - start)
    }

    /// The most bytes that are there for an object at this place.
    func capacity(at offset: Int) -> Int { length - offset & (1 << Int(strideBits) - 1) }
}

enum FileReads {
    /// How many bytes were read: fewer than asked for where the file ends or cannot be read further.
    static func read(_ descriptor: Int32, _ memory: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> Int {
        var done = 0
        while done < count {
            let result = pread(descriptor, memory + done, count - done, off_t(offset + done))
            if result < 0, errno == EINTR { continue }
            if result <= 0 { break }
            done += result
        }
        return done
    }
}
