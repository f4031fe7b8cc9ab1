import Glibc

/// Parts of files, read into memory that is used again and again.
///
/// A file is divided into windows of equal size. Each window is read with some bytes behind its end, so that an object that
/// begins in it is whole in most cases. Reading copies bytes that the kernel holds already; in exchange a file that becomes
/// shorter gives a short read, where a mapped file would give a signal.
///
/// It belongs to one reader and is touched by one thread.
final class WindowCache {
    /// Windows are found by their tag: the file's key and the window's number in it.
    private let tags: UnsafeMutablePointer<UInt64>
    /// How many bytes each window holds.
    private let counts: UnsafeMutablePointer<Int>
    /// The window of each set that is replaced next.
    private let victims: UnsafeMutablePointer<UInt8>
    private let memory: UnsafeMutableRawPointer
    private let strideBits: UInt64
    private let length: Int
    private let setBits: UInt64
    private var slotCount: Int { Self.ways << Int(setBits) }

    private static let ways = 4

    /// - Parameters:
    ///   - strideBits: the size of a window is two to this power.
    ///   - overlap: how many bytes are read behind the end of a window.
    ///   - setBits: the cache holds four times two to this power windows.
    init(strideBits: Int, overlap: Int, setBits: Int) {
        self.strideBits = UInt64(strideBits)
        self.setBits = UInt64(setBits)
        length = 1 << strideBits + overlap
        let count = Self.ways << setBits
        tags = .allocate(capacity: count)
        tags.initialize(repeating: 0, count: count)
        counts = .allocate(capacity: count)
        counts.initialize(repeating: 0, count: count)
        victims = .allocate(capacity: 1 << setBits)
        victims.initialize(repeating: 0, count: 1 << setBits)
        // Pages that are never written to take no memory.
        memory = .allocate(byteCount: count * length, alignment: 4096)
    }

    deinit {
        tags.deallocate()
        counts.deallocate()
        victims.deallocate()
        memory.deallocate()
    }

    /// The bytes, valid until the next call; `nil` where a window cannot hold them or the file does not have them.
    ///
    /// - Parameter key: the file's; its lower 30 bits are 0, and no offset is behind 16 TiB.
    @inline(__always)
    func bytes(_ key: UInt64, _ descriptor: Int32, _ offset: Int, _ count: Int) -> UnsafeRawPointer? {
        let tag = key &+ UInt64(bitPattern: Int64(offset)) >> strideBits
        let set = Int((tag &* 0x9E37_79B9_7F4A_7C15) >> (64 &- setBits))
        let first = set &* Self.ways
        let start = offset & (1 << Int(strideBits) &- 1)
        for slot in first..<first &+ Self.ways where tags[slot] == tag {
            // Callers bound offset and count, and a count is never negative.
            guard start &+ count <= counts[slot] else { return nil }
            return UnsafeRawPointer(memory + (slot &* length &+ start))
        }
        return fill(tag, set, descriptor, offset &- start, start, count)
    }

    @inline(never)
    private func fill(_ tag: UInt64, _ set: Int, _ descriptor: Int32, _ offset: Int, _ start: Int, _ count: Int)
        -> UnsafeRawPointer?
    {
        let slot = set * Self.ways + Int(victims[set])
        victims[set] = (victims[set] + 1) % UInt8(Self.ways)
        tags[slot] = 0
        counts[slot] = FileReads.read(descriptor, memory + slot * length, length, at: offset)
        tags[slot] = tag
        guard start + count <= counts[slot] else { return nil }
        return UnsafeRawPointer(memory + (slot * length + start))
    }

    /// The most bytes that are there for an object at this place.
    func room(at offset: Int) -> Int { length - offset & (1 << Int(strideBits) - 1) }
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
