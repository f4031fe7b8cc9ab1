import Glibc

/// A file that was opened and seems to be a journal.
struct OpenedFile {
    let descriptor: Int32
    let identity: Inode
    let size: Int
    let header: FileHeader

    private static let opening = "open the journal file"
    private static let reading = "read the journal file"

    /// - Throws: a ``JournalError`` where the file cannot be opened, or is no journal. Nothing is left open then.
    init(_ path: String) throws(JournalError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw JournalError(Self.opening, path, errno: errno) }
        do throws(JournalError) {
            guard let status = FileStatus(of: descriptor) else {
                throw JournalError(Self.opening, path, errno: errno)
            }
            try Self.check(status, path)
            header = try Self.header(of: descriptor, status, path)
            identity = status.identity
            size = status.size
            self.descriptor = descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func check(_ status: FileStatus, _ path: String) throws(JournalError) {
        guard !status.isDirectory else {
            throw JournalError(
                opening,
                path,
                reason: "it is a directory",
                advice: "Read all journal files in it with --directory.",
                errno: EISDIR
            )
        }
        guard status.mode == S_IFREG else {
            throw JournalError(
                opening,
                path,
                reason: "it is not a regular file",
                advice: "A stream can be read in the journal export format (--from export:-).",
                errno: EINVAL
            )
        }
        guard status.size > 0 else {
            throw JournalError(
                opening,
                path,
                reason: "it is empty",
                advice: "Not even a journal's header was written to it.",
                errno: ENODATA
            )
        }
    }

    private static func header(of descriptor: Int32, _ status: FileStatus, _ path: String) throws(JournalError)
        -> FileHeader
    {
        var bytes = [UInt8](repeating: 0, count: FileHeader.minSize)
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { FileReads.read(descriptor, $0, buffer.count, at: 0) } ?? 0
        }
        guard bytes.starts(with: FileHeader.signature.prefix(max(count, 1))) else {
            throw JournalError(
                reading,
                path,
                reason: "it is not a journal",
                advice: "Is it in the journal export format? Then read it with --from export:FILE.",
                errno: EBADMSG
            )
        }
        guard count == FileHeader.minSize else {
            throw JournalError(
                reading,
                path,
                reason: "it ends within its header, after \(status.size) bytes",
                advice: "Nothing in it can be read.",
                errno: ENODATA
            )
        }
        let header = bytes.withUnsafeBytes { buffer in buffer.baseAddress.map { FileHeader($0) } }
        guard let header else { throw JournalError(reading, path, errno: ENODATA) }
        let unknown = header.features.subtracting(.known)
        guard unknown.isEmpty else {
            throw JournalError(
                reading,
                path,
                reason: "it has the unknown incompatible flags 0x\(String(unknown.rawValue, radix: 16))",
                advice: "A newer systemd wrote it, or it is damaged. journalctl may be able to read it:"
                    + " journalctl --file FILE -o export | busctl-rx tail --from export:-",
                errno: EPROTONOSUPPORT
            )
        }
        return header
    }
}
