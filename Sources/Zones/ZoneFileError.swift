import Glibc

/// A zone file could not be read.
struct ZoneFileError: Error {
    /// The system's error number; zero if it is not a plain file.
    let code: CInt

    /// The largest zone file has some four thousand bytes.
    private static var maxSize: Int { 1 << 16 }

    static func contents(of path: String) throws(ZoneFileError) -> [UInt8] {
        // Opening a FIFO would wait for its writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw ZoneFileError(code: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw ZoneFileError(code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw ZoneFileError(code: EISDIR)
        default: throw ZoneFileError(code: 0)
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw ZoneFileError(code: errno)
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > maxSize { throw ZoneFileError(code: EFBIG) }
        }
    }
}
