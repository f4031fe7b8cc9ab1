import Glibc

/// The start of a journal file, as far as it is needed to tell what is wrong with one.
///
/// The layout is documented: https://systemd.io/JOURNAL_FILE_FORMAT/
struct JournalFileHeader {
    static let leastSize = 208
    static let signature: [UInt8] = Array("LPKSHHRH".utf8)

    let incompatibleFlags: UInt32
    let headerSize: UInt64
    let arenaSize: UInt64
    let entryCount: UInt64
    let entryArrayOffset: UInt64
    let fileSize: UInt64

    let state: UInt8

    /// Whether the file is as long as it says.
    var isComplete: Bool {
        let (end, overflow) = headerSize.addingReportingOverflow(arenaSize)
        return !overflow && end <= fileSize
    }

    /// Whether a journald has it open, or had when it died.
    var isBeingWritten: Bool { state == 1 }

    /// Whether it is complete and all entries can be reached. It takes a look at every entry.
    static func isIntact(_ path: String, _ header: JournalFileHeader) -> Bool {
        guard header.isComplete, header.headerSize >= leastSize else { return false }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        guard let file = MappedFile(descriptor, size: Int(clamping: header.fileSize)) else { return true }
        return MappedFile.guarded { JournalObjects(file, header).isIntact(header) }
    }

    /// - Throws: where the file cannot be opened, or is no journal.
    @discardableResult
    static func check(_ path: String) throws(JournalError) -> JournalFileHeader {
        let action = "open the journal file"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw JournalError(action, path, errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw JournalError(action, path, errno: errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw JournalError(
                action,
                path,
                reason: "it is a directory",
                advice: "Read all journal files in it with --directory.",
                errno: EISDIR
            )
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw JournalError(
                action,
                path,
                reason: "it is not a regular file",
                advice: "A stream can be read in the journal export format (--from export:-).",
                errno: EINVAL
            )
        }
        guard status.st_size > 0 else {
            throw JournalError(
                action,
                path,
                reason: "it is empty",
                advice: "Not even a journal's header was written to it.",
                errno: ENODATA
            )
        }
        return try header(of: descriptor, size: Int(status.st_size), path)
    }

    private static func header(of descriptor: Int32, size: Int, _ path: String) throws(JournalError)
        -> JournalFileHeader
    {
        var bytes = [UInt8](repeating: 0, count: leastSize)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw JournalError("read the journal file", path, errno: errno) }
        guard bytes.starts(with: signature.prefix(max(count, 1))) else {
            throw JournalError(
                "read the journal file",
                path,
                reason: "it is not a journal",
                advice: "Is it in the journal export format? Then read it with --from export:FILE.",
                errno: EBADMSG
            )
        }
        guard count == leastSize else {
            throw JournalError(
                "read the journal file",
                path,
                reason: "it ends within its header, after \(size) bytes",
                advice: "Nothing in it can be read.",
                errno: ENODATA
            )
        }
        return bytes.withUnsafeBytes { raw in
            JournalFileHeader(
                incompatibleFlags: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 12, as: UInt32.self)),
                headerSize: number(raw, 88),
                arenaSize: number(raw, 96),
                entryCount: number(raw, 152),
                entryArrayOffset: number(raw, 176),
                fileSize: UInt64(size),
                state: raw[16]
            )
        }
    }

    private static func number(_ raw: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
