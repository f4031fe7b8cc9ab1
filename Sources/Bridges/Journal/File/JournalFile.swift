import Glibc

/// One journal file: its header, its objects and the list of its entries.
///
/// The format is documented: https://systemd.io/JOURNAL_FILE_FORMAT/. Every place that the file names is compared with the
/// file's size, and every object's type and size are looked at, before anything is read from it. An object that is not what
/// it should be counts as damaged; nothing in a file can make reading it crash, or go on without end.
///
/// It belongs to one reader and is touched by one thread.
final class JournalFile {
    let path: String
    let descriptor: Int32
    let memory: FileMemory
    /// Tells files apart as long as the reader lives.
    let number: UInt64
    let identity: FileIdentity

    private(set) var header: FileHeader
    /// The file's size when it was looked at last.
    private(set) var size: Int
    /// Under which the file's windows are held. Another one each time the file has changed.
    private(set) var key: UInt64
    private let sizeAtFirst: Int
    var entries = EntryList()
    /// Entries from that index on wait until all other files were looked at after they were written; see ``JournalFiles``.
    var settled = Int.max

    /// Where reading has come to; see ``MergedJournal``.
    var place = FilePlace()
    /// Fields that could not be read were told of.
    var hasToldOfFields = false

    let isCompact: Bool
    /// The size of an entry's reference to one of its fields.
    let itemSize: Int
    /// The size of an array's reference to an entry.
    let slotSize: Int
    /// Where the payload of a DATA object begins in it.
    let payloadStart: Int

    /// - Throws: where the file cannot be opened, or is no journal that can be read here.
    init(_ path: String, number: UInt64, memory: FileMemory) throws(JournalError) {
        let opened = try OpenedFile(path)
        self.path = path
        self.number = number
        self.memory = memory
        descriptor = opened.descriptor
        identity = opened.identity
        header = opened.header
        size = opened.size
        sizeAtFirst = opened.size
        key = memory.makeKey()
        isCompact = opened.header.features.contains(.compact)
        itemSize = isCompact ? 4 : 16
        slotSize = isCompact ? 4 : 8
        payloadStart = isCompact ? 72 : 64
        entries.extend(self)
    }

    deinit {
        close(descriptor)
    }

    /// Looks whether the file has changed; answers whether it has.
    ///
    /// - Parameter force: reads the file anew even if it seems to be the same.
    @discardableResult
    func refresh(force: Bool = false) -> Bool {
        let fresh = withUnsafeTemporaryAllocation(byteCount: FileHeader.leastSize, alignment: 8) {
            buffer -> FileHeader? in
            guard let start = buffer.baseAddress,
                FileReads.read(descriptor, start, FileHeader.leastSize, at: 0) == FileHeader.leastSize
            else { return nil }
            let fresh = FileHeader(start)
            // journald overwrites files with zeros when it deletes them.
            return fresh.fileID == header.fileID && fresh.sequenceID == header.sequenceID ? fresh : nil
        }
        guard let status = FileStatus(of: descriptor) else { return force }
        let hasNews = fresh.map { $0.entryCount != header.entryCount || $0.state != header.state } ?? false
        guard force || hasNews || status.size != size else { return false }
        if let fresh { header = fresh }
        size = status.size
        key = memory.makeKey()
        entries.extend(self)
        return true
    }

    /// Whether the file is shorter than it was when it was opened.
    var hasShrunk: Bool { size < sizeAtFirst }

    /// Whether nothing is known to be wrong with it.
    var isIntact: Bool { entries.isComplete && entries.repairs == 0 && header.end <= UInt64(size) }

    /// Whether all of its entries were read.
    var isRead: Bool { if case .end(let count) = place.state { count == entries.count } else { false } }

    /// Whether the file has no name any more.
    var isDeleted: Bool { FileStatus(of: descriptor)?.links == 0 }

    /// Bytes of the file, valid until the next call; `nil` where the file does not have them.
    ///
    /// - Parameter count: at most ``size``, and not negative.
    @inline(__always)
    func bytes(_ offset: Int, _ count: Int, _ access: FileMemory.Access) -> UnsafeRawPointer? {
        guard offset >= 0, count <= size &- offset else { return nil }
        let cache = access == .stream ? memory.streams : memory.spots
        if let found = cache.bytes(key, descriptor, offset, count) { return found }
        return count > cache.room(at: offset) ? memory.largeBytes(key, descriptor, offset, count) : nil
    }
}

/// Which file a name stands for.
struct FileIdentity: Hashable {
    var device: UInt64
    var inode: UInt64
}

/// What the system says of a file.
struct FileStatus {
    let identity: FileIdentity
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
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        size = Int(status.st_size)
        links = Int(status.st_nlink)
        mode = status.st_mode & S_IFMT
        changed = status.st_mtim.tv_sec
    }

    /// Whether the contents changed in the last seconds.
    func isYounger(than seconds: Int) -> Bool { time(nil) - changed < seconds }

    var isDirectory: Bool { mode == S_IFDIR }
}
