import Glibc

/// A file of the system could not be read.
struct FileError: Error {
    let code: CInt

    /// The bytes of a plain file, of which there may be at most `limit`.
    static func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError(code: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(code: errno)
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > limit { throw FileError(code: EFBIG) }
        }
    }
}
