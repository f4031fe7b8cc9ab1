/// The memory that the files of one journal share while they are read: windows of the files, one large object, the
/// values that entries have in common, and the last decompressed value.
///
/// It belongs to one reader and is touched by one thread. It is bounded: 1 MiB of windows for reading on, 2 MiB for looking up,
/// 6 MiB of shared values, and one object, which journald lets have 768 MiB at most.
final class FileMemory {
    /// The pattern in which a part of a file is accessed.
    enum Access {
        /// Reading on from place to place.
        case stream
        /// Looking up a single place.
        case spot
    }

    let streams: WindowCache
    let spots: WindowCache
    private(set) var values: SharedValues
    /// Whether there may be a larger table of values.
    private var canGrow: Bool
    let decoder = PayloadDecoder()
    /// The places of one entry's fields.
    let items = UnsafeMutablePointer<UInt64>.allocate(capacity: JournalFile.maxItems)

    /// An object that no window holds.
    private var large: UnsafeMutableRawPointer?
    private var largeCapacity = 0
    private var largeTag: (key: UInt64, offset: Int, count: Int) = (0, 0, 0)
    private var lastKey: UInt64 = 0

    /// Files are read up to this place, 16 TiB.
    static let maxFileSize = 1 << 44

    /// - Parameter isSmall: for a thread beside the reader. It holds about half as many values.
    init(isSmall: Bool = false) {
        streams = WindowCache(strideBits: 16, overlap: 4 << 10, setBits: 2, for: .stream)
        spots = WindowCache(strideBits: 14, overlap: 8 << 10, setBits: 4, for: .spot)
        values = SharedValues(capacity: isSmall ? 2 << 20 : 3 << 20, tableBits: isSmall ? 14 : 15)
        canGrow = !isSmall
    }

    deinit {
        streams.deallocate()
        spots.deallocate()
        values.deallocate()
        items.deallocate()
        large?.deallocate()
    }

    /// To be called between two entries: makes room for the values of the next if there is little. Without effect if it was just called.
    @inline(__always)
    func reserveValues() {
        if values.isFull { makeRoomForValues() }
    }

    @inline(never)
    private func makeRoomForValues() {
        // Many small values, such as the numbers of processes, are worth a larger table: otherwise each is looked up again and again.
        guard canGrow, !values.isFullOfBytes else { return values.forget() }
        canGrow = false
        values.grow()
    }

    /// A key under which nothing is held yet.
    func makeKey() -> UInt64 {
        lastKey &+= 1 << WindowCache.numberBits
        return lastKey
    }

    @inline(never)
    func largeBytes(_ key: UInt64, _ descriptor: Int32, _ offset: Int, _ count: Int) -> UnsafeRawPointer? {
        guard count <= JournalFile.maxValueSize else { return nil }
        if largeTag.key == key, largeTag.offset == offset, largeTag.count >= count, let large {
            return UnsafeRawPointer(large)
        }
        largeTag = (0, 0, 0)
        if largeCapacity < count || largeCapacity > 1 << 20 && count < largeCapacity / 4 {
            large?.deallocate()
            large = .allocate(byteCount: count, alignment: 16)
            largeCapacity = count
        }
        guard let large, FileReads.read(descriptor, large, count, at: offset) == count else { return nil }
        largeTag = (key, offset, count)
        return UnsafeRawPointer(large)
    }
}
