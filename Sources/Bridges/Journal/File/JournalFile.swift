import Glibc

/// One journal file: its header, its objects and the list of its entries.
///
/// The format is documented: https://systemd.io/JOURNAL_FILE_FORMAT/. Every place that the file names is compared
/// with the file's size, and every object's type and size are checked, before anything is read from it. An
/// inconsistent object counts as damaged; nothing in a file can make reading it crash, or go on without end.
///
/// It belongs to one reader and is touched by one thread.
final class JournalFile {
    let path: String
    /// Shared with the threads that search it.
    let openDescriptor: OpenDescriptor
    var descriptor: Int32 { openDescriptor.opened() }
    let memory: FileMemory
    private let streams: WindowCache
    private let spots: WindowCache
    /// Tells files apart as long as the reader lives.
    let number: UInt64
    let identity: Inode

    private(set) var header: FileHeader
    private let sizeAtFirst: Int
    var entries = EntryList()
    /// The entries that the file's index selects; `nil` if all entries are read.
    var indexScan: IndexScan? {
        didSet {
            place.hasIndexScan = indexScan != nil
            // Entries that lie close together are read with what is between them.
            let isSparse = indexScan.map { $0.estimate < size / Self.closeTogether } ?? false
            place.access = isSparse ? .spot : .stream
        }
    }
    /// If at least one entry in so many bytes is wanted, the next one is close.
    private static let closeTogether = 12 << 10
    /// The entries whose values pass a test; `nil` if values are not searched.
    var valueScan: ValueScan? { didSet { place.hasValueScan = valueScan != nil } }

    /// Values that are used for every entry. They are not stored properties: Swift would check each use for overlapping access.
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    let slots = SlotBuffer()

    private struct State: BitwiseCopyable {
        var size: Int
        var key: UInt64
        var place = FilePlace()
        var firstInSlots = 0
        var slotShift = 0
        var count = 0
        var readLimit = Int.max
        /// The bounds of the entries that are read, and the places of the first and the last of them.
        var firstIndex = 0
        var endIndex = Int.max
        var firstPlace = 0
        var lastPlace = Int.max
    }

    /// Of the file's list, the entries that are read; see ``narrow(to:follow:)``. Open at the end if entries are added that may be
    /// wanted.
    @inline(__always)
    var bounds: Range<Int> {
        get { Range(uncheckedBounds: (state.pointee.firstIndex, state.pointee.endIndex)) }
        set {
            (state.pointee.firstIndex, state.pointee.endIndex) = (newValue.lowerBound, newValue.upperBound)
            let isEmpty = newValue.isEmpty
            // A slot that leads elsewhere bounds nothing.
            state.pointee.firstPlace =
                newValue.lowerBound == 0 ? 0 : entries.orderedOffset(at: newValue.lowerBound, self) ?? 0
            state.pointee.lastPlace =
                newValue.upperBound >= count
                ? .max : isEmpty ? 0 : entries.orderedOffset(at: newValue.upperBound - 1, self) ?? .max
        }
    }

    /// Whether the entry at that place is within the ``bounds``.
    @inline(__always)
    func isWithinBounds(_ offset: Int) -> Bool {
        offset >= state.pointee.firstPlace && offset <= state.pointee.lastPlace
    }

    /// Entries from that index on wait until all other files were refreshed after they were written; see ``JournalFiles``.
    @inline(__always)
    var readLimit: Int {
        get { state.pointee.readLimit }
        set { state.pointee.readLimit = newValue }
    }

    /// The position of reading; see ``MergedJournal``.
    @inline(__always)
    var place: FilePlace {
        get { state.pointee.place }
        _modify { yield &state.pointee.place }
    }

    /// The file's size when it was refreshed last.
    @inline(__always)
    var size: Int { state.pointee.size }

    /// Under which the file's windows are held. Another one each time the file has changed.
    @inline(__always)
    var key: UInt64 { state.pointee.key }

    /// How many entries there are.
    @inline(__always)
    var count: Int { state.pointee.count }

    /// The place of an entry whose slot is held already, in a file that was not repaired.
    @inline(__always)
    func heldOffset(at index: Int) -> Int? {
        guard state.pointee.firstInSlots == 0 else { return nil }
        return slots.offset(at: index &+ state.pointee.slotShift, state.pointee.key)
    }

    /// The place of an entry in the file; `nil` where its slot cannot be read or is empty.
    @inline(__always)
    func offset(at index: Int) -> Int? {
        if index >= state.pointee.firstInSlots,
            let offset = slots.offset(at: index &+ state.pointee.slotShift, state.pointee.key)
        {
            return offset
        }
        return entries.offset(at: index, self)
    }

    /// The same for an entry that lies far from those looked up before and after it.
    func distantOffset(at index: Int) -> Int? { entries.distantOffset(at: index, self) }

    private func noteEntries() {
        (state.pointee.firstInSlots, state.pointee.slotShift) = entries.slotsBehind
        state.pointee.count = entries.count
    }

    /// Searches the whole file for its remaining entries.
    func repairEntries() {
        indexScan = nil
        valueScan = nil
        entries.repair(self)
        // The entries have other numbers now.
        bounds = 0..<Int.max
        tailSequence = nil
        noteEntries()
    }

    /// The number of the last counted entry, or the number before the first entry that will be counted. While an
    /// entry is being written the header has its number already.
    private(set) var lastSequence: UInt64 = 0

    /// The number of the last entry, where the list of entries and the header agree on it.
    private(set) var tailSequence: UInt64?

    private func noteSequence() {
        let newest = count > 0 ? offset(at: count - 1).flatMap { entry(at: $0, .spot) } : nil
        tailSequence = isIntact && newest?.sequence == header.tailSequence ? header.tailSequence : nil
        let counted = newest.map { $0.sequence.addingReportingOverflow(UInt64(entries.unlisted)) }
        lastSequence = min(counted.map { $0.overflow ? .max : $0.partialValue } ?? .max, header.tailSequence)
    }

    /// The number that reading had reached when the file was found. Entries with lower ones are skipped.
    var foundBehind: UInt64 = 0

    let isCompact: Bool
    /// The size of an entry's reference to one of its fields.
    let itemSize: Int
    /// The size of an array's reference to an entry.
    let slotSize: Int
    /// The offset of the payload in a DATA object.
    let payloadStart: Int

    /// - Throws: a ``JournalError`` where the file cannot be opened, or is no journal that can be read here.
    convenience init(
        _ path: String,
        number: UInt64,
        memory: FileMemory,
        descriptors: DescriptorPool = DescriptorPool()
    ) throws(JournalError) {
        // Before the object exists: an initialiser that fails halfway does not give back its memory.
        descriptors.closeExcess()
        let opened = try OpenedFile(path)
        let snapshot = FileSnapshot(opened, path, in: descriptors, number: number, key: memory.makeKey())
        self.init(snapshot, memory: memory)
        entries.extend(self)
        noteEntries()
        noteSequence()
    }

    /// A view of the file that reads entries whose places are known, and has no list of them.
    init(_ snapshot: FileSnapshot, memory: FileMemory) {
        path = snapshot.path
        number = snapshot.number
        self.memory = memory
        openDescriptor = snapshot.openDescriptor
        identity = snapshot.identity
        header = snapshot.header
        sizeAtFirst = snapshot.size
        peakSize = snapshot.size
        state.initialize(to: State(size: snapshot.size, key: snapshot.key))
        streams = memory.streams
        spots = memory.spots
        isCompact = snapshot.header.features.contains(.compact)
        itemSize = isCompact ? 4 : 16
        slotSize = isCompact ? 4 : 8
        payloadStart = isCompact ? 72 : 64
    }

    deinit {
        state.deallocate()
        slots.deallocate()
    }

    /// Checks whether the file has changed; returns whether it has.
    ///
    /// - Parameter force: reads the file anew even if it seems to be the same.
    @discardableResult
    func refresh(force: Bool = false) -> Bool {
        let fresh = freshHeader()
        guard let status = FileStatus(of: descriptor) else { return force }
        let hasNews = fresh.map { $0.entryCount != header.entryCount || $0.state != header.state } ?? false
        // A header that was read while it was being written may count an entry before it leads to it.
        let isBehind = header.state == 1 && !entries.isComplete
        guard force || hasNews || isBehind || status.size != size else { return false }
        let hasHeader = fresh != nil
        if let fresh { header = fresh }
        state.pointee.size = min(status.size, FileMemory.maxFileSize)
        peakSize = max(peakSize, size)
        state.pointee.key = memory.makeKey()
        entries.extend(self)
        incompleteRefreshes = entries.isComplete ? 0 : incompleteRefreshes + 1
        noteEntries()
        if hasHeader { noteSequence() }
        return true
    }

    /// The header as it is now; `nil` where it is not that of this file any more: journald overwrites files with zeros when it
    /// deletes them. Since version 254 it names the source of the numbers with a file's first entry; before, the file is its own source.
    func freshHeader() -> FileHeader? {
        withUnsafeTemporaryAllocation(byteCount: FileHeader.minSize, alignment: 8) { buffer in
            guard let start = buffer.baseAddress,
                FileReads.read(descriptor, start, FileHeader.minSize, at: 0) == FileHeader.minSize
            else { return nil }
            let fresh = FileHeader(start)
            let isSame = fresh.sequenceID == header.sequenceID || header.entryCount == 0
            return fresh.fileID == header.fileID && isSame ? fresh : nil
        }
    }

    /// How many refreshes in a row have found more entries counted than listed.
    var incompleteRefreshes = 0

    /// The file's largest size so far. A file that is being deleted may be cut between reading its header and its
    /// size.
    private(set) var peakSize: Int

    /// Whether the file is shorter than it was when it was opened.
    var hasShrunk: Bool { size < sizeAtFirst }

    /// Whether nothing is known to be wrong with it.
    var isIntact: Bool { entries.isComplete && entries.repairs == 0 && header.end <= UInt64(size) }

    /// Whether all of its entries were read.
    var isRead: Bool { if case .end(let count) = place.state { count == self.count } else { false } }

    /// Whether the file has no name any more.
    var isDeleted: Bool { FileStatus(of: descriptor).map { $0.links == 0 } ?? (openDescriptor.number < 0) }

    /// `SEEK_DATA`, which is not imported.
    private static let seekData: Int32 = 3

    /// The next place, from the given one on, that may not be zero; the file's end if there is none.
    func nextData(from offset: Int) -> Int {
        let found = lseek(descriptor, off_t(offset), Self.seekData)
        if found >= 0 { return min(Int(found), size) }
        return errno == ENXIO ? size : offset
    }

    /// Bytes of the file, valid until the next call; `nil` where the file does not have them.
    ///
    /// - Parameter count: at most ``size``, and not negative.
    @inline(__always)
    func bytes(_ offset: Int, _ count: Int, _ access: FileMemory.Access) -> UnsafeRawPointer? {
        held(offset, count, access)?.baseAddress
    }

    /// The same, with the bytes held behind them.
    @inline(__always)
    func held(_ offset: Int, _ count: Int, _ access: FileMemory.Access) -> UnsafeRawBufferPointer? {
        guard offset >= 0, count <= size &- offset else { return nil }
        let cache = access == .stream ? streams : spots
        if let found = cache.bytes(key, openDescriptor.number, offset, count) { return found }
        return heldElsewhere(offset, count, cache)
    }

    /// The same where no window has them: the file was closed for a while, or the object is large.
    private func heldElsewhere(_ offset: Int, _ count: Int, _ cache: WindowCache) -> UnsafeRawBufferPointer? {
        if openDescriptor.number < 0, descriptor >= 0, let found = cache.bytes(key, descriptor, offset, count) {
            return found
        }
        guard count > cache.capacity(at: offset) else { return nil }
        return memory.largeBytes(key, descriptor, offset, count).map { UnsafeRawBufferPointer(start: $0, count: count) }
    }
}

/// The identity of a file on a device. No other file has the same while it is open.
struct Inode: Hashable {
    let device: UInt64
    let number: UInt64
}

/// The status of a file, as fstat reports it.
struct FileStatus {
    /// Files are read up to this place. No journal is nearly as large.
    static let maxSize = 1 << 44

    let identity: Inode
    let size: Int
    let links: Int
    let mode: mode_t
    /// When the contents changed last, in seconds since 1970.
    private let changed: Int

    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = Inode(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        size = min(Int(status.st_size), Self.maxSize)
        links = Int(status.st_nlink)
        mode = status.st_mode & S_IFMT
        changed = status.st_mtim.tv_sec
    }

    /// Whether the contents changed in the last seconds.
    func isYounger(than seconds: Int) -> Bool { changed > time(nil) - seconds }

    var isDirectory: Bool { mode == S_IFDIR }
}
