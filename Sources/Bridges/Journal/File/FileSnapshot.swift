import Glibc

/// A journal file as it was when its reader refreshed it last, for threads that read its entries beside the reader.
final class FileSnapshot: Sendable {
    let path: String
    let openDescriptor: OpenDescriptor
    let identity: Inode
    let header: FileHeader
    let size: Int
    /// Tells files apart as long as the reader lives.
    let number: UInt64
    /// Under which the file's windows are held; another one for each snapshot of the file.
    let key: UInt64

    init(_ opened: OpenedFile, _ path: String, in pool: DescriptorPool, number: UInt64, key: UInt64) {
        self.path = path
        openDescriptor = OpenDescriptor(opened, path, in: pool)
        identity = opened.identity
        header = opened.header
        size = min(opened.size, FileMemory.maxFileSize)
        self.number = number
        self.key = key
    }

    init(_ file: JournalFile) {
        path = file.path
        openDescriptor = file.openDescriptor
        identity = file.identity
        header = file.header
        size = file.size
        number = file.number
        key = file.key
    }

    /// Whether the entry is still in the file, which journald overwrites with zeros when it deletes it.
    func holds(_ entry: EntryRef) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: JournalFile.ObjectStart.entry, alignment: 8) { buffer in
            guard let start = buffer.baseAddress,
                FileReads.read(openDescriptor.opened(), start, buffer.count, at: entry.offset) == buffer.count
            else { return false }
            let object = UnsafeRawPointer(start)
            return object.load(as: UInt8.self) == JournalFile.ObjectType.entry
                && object.number(at: 16) == entry.sequence && object.number(at: 24) == entry.realtime
        }
    }
}
