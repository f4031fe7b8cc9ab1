import CLinux
import Glibc
import SystemPackage

/// A file that is being read, wherever it has been moved to since. Closed when it is released.
///
/// Used by one thread.
final class OpenLog {
    /// Why a path could not be opened.
    enum Refusal: Error {
        case missing
        /// A symbolic link, which was not to be followed.
        case link
        /// The subscription is over.
        case unwanted
        case failed(FileReadError)
    }

    enum Step {
        /// So many bytes were put into the buffer.
        case bytes(Int)
        case end
        /// At least so many bytes are missing, or an unknown number. Reading goes on with the present content.
        case truncated(lost: Int?)
    }

    /// How many bytes before the place are read again with the following ones, to check that the text is still the
    /// same.
    private static let overlap = 64

    let descriptor: CInt
    let name: String
    let identity: Identity
    /// Whether inotify reports all its writers.
    let reportsWriters: Bool
    /// When it was last written to as it was opened, since 1970.
    let changedAt: (seconds: Int, nanoseconds: Int)
    /// Its size when that was last checked.
    private(set) var knownSize: Int
    private(set) var position = 0
    /// The bytes before the place, and capacity to read them again.
    private(set) var before: [UInt8] = []
    private let again = UnsafeMutableRawBufferPointer.allocate(byteCount: overlap, alignment: 1)
    /// The watch on it, if there is one.
    var watch: CInt?

    struct Identity: Equatable {
        let device: UInt
        let number: UInt

        init(_ status: stat) {
            device = UInt(status.st_dev)
            number = UInt(status.st_ino)
        }
    }

    private init(_ descriptor: CInt, _ name: String, _ status: stat) {
        self.descriptor = descriptor
        self.name = name
        identity = Identity(status)
        reportsWriters = clinux_tells_of_writers(descriptor) != 0
        knownSize = Int(status.st_size)
        changedAt = Self.changedAt(status)
    }

    static func changedAt(_ status: stat) -> (seconds: Int, nanoseconds: Int) {
        (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    deinit {
        close(descriptor)
        again.deallocate()
    }

    // MARK: Opening

    /// Opens a regular file. Other files are not opened, because opening them may wait or have effects.
    ///
    /// - Parameters:
    ///   - followsLink: whether the last name may be a symbolic link.
    ///   - isWanted: asked now and then where opening takes long.
    static func open(_ path: RawPath, followsLink: Bool, isWanted: () -> Bool) throws(Refusal) -> OpenLog {
        var status = stat()
        let found = path.withCString { followsLink ? stat($0, &status) : lstat($0, &status) }
        guard found == 0 else { throw refusal(path, errno) }
        if status.st_mode & S_IFMT == S_IFLNK { throw .link }
        try checkKind(of: status, path)
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
        while true {
            let descriptor = path.withCString { Glibc.open($0, flags) }
            if descriptor >= 0 {
                guard fstat(descriptor, &status) == 0 else {
                    let code = errno
                    close(descriptor)
                    throw refusal(path, code)
                }
                let log = OpenLog(descriptor, path.description, status)
                // The file that was checked before may have been replaced.
                try checkKind(of: status, path)
                return log
            }
            let code = errno
            if code == ELOOP, !followsLink { throw .link }
            guard code == EWOULDBLOCK || code == EINTR else { throw refusal(path, code) }
            // Another process has a lease on the file, which the kernel has now asked it to end.
            guard isWanted() else { throw .unwanted }
            usleep(5_000)
        }
    }

    private static func refusal(_ path: RawPath, _ code: CInt) -> Refusal {
        code == ENOENT ? .missing : .failed(.system(operation: "open \(path)", errno: Errno(rawValue: code)))
    }

    private static func checkKind(of status: stat, _ path: RawPath) throws(Refusal) {
        let kind: FileReadError.Kind
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: kind = .directory
        case S_IFIFO: kind = .pipe
        case S_IFSOCK: kind = .socket
        default: kind = .device
        }
        throw .failed(.notRegular(path.filePath, kind))
    }

    /// The identity of the file at a path; nil where none is visible.
    static func identity(of path: RawPath) -> Identity? {
        var status = stat()
        return path.withCString { stat($0, &status) } == 0 ? Identity(status) : nil
    }

    // MARK: Reading

    var isCompressed: Bool {
        var head = [UInt8](repeating: 0, count: Compression.headSize)
        let count = clinux_read_at(descriptor, nil, 0, &head, head.count, 0)
        return count > 0 && Compression.of(head.prefix(count)) != nil
    }

    /// Whether there is anything in it.
    var hasContent: Bool { size > 0 }

    private var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Reads on.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileReadError) -> Step {
        let expected = before.count
        let result = clinux_read_at(
            descriptor,
            again.baseAddress,
            expected,
            buffer.baseAddress,
            buffer.count,
            Int64(position - expected)
        )
        guard result >= 0 else { throw failure("read", CInt(-result)) }
        // Another machine's writes may be seen as zeros first.
        guard result >= expected, !reportsWriters || before.elementsEqual(again.prefix(expected)) else {
            return rewind()
        }
        let count = result - expected
        if count == 0 {
            defer { knownSize = position }
            // Files of /sys say that they are larger than what can be read of them.
            return position < knownSize && size < knownSize ? .truncated(lost: knownSize - position) : .end
        }
        position += count
        note(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return .bytes(count)
    }

    private func rewind() -> Step {
        let lost = knownSize - position
        (position, knownSize) = (0, 0)
        before = []
        return .truncated(lost: lost > 0 ? lost : nil)
    }

    private func note(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count < Self.overlap {
            before.removeFirst(max(0, before.count + bytes.count - Self.overlap))
            before.append(contentsOf: bytes)
        } else {
            before = Array(bytes.suffix(Self.overlap))
        }
    }

    // MARK: Finding the place

    /// Goes to where reading begins.
    func seek(_ start: FileStart, isWanted: () -> Bool) throws(FileReadError) {
        switch start {
        case .head: return
        case .end: position = knownSize
        case .last(let count): position = try count > 0 ? beginning(ofLast: count, isWanted) : knownSize
        case .behind(let place): position = place.offset
        }
        let count = min(position, Self.overlap)
        let held = try read(into: UnsafeMutableRawBufferPointer(rebasing: again[..<count]), at: position - count)
        // If the file has become shorter since, the next reading finds out.
        UnsafeMutableRawBufferPointer(rebasing: again[held..<count]).initializeMemory(as: UInt8.self, repeating: 0)
        before = Array(again.prefix(count))
    }

    /// Whether the file has a place, under whichever inode.
    func has(_ place: FilePlace) throws(FileReadError) -> Bool {
        guard knownSize >= place.offset else { return false }
        var tail = [UInt8](repeating: 0, count: place.offset - place.tailStart)
        let count = clinux_read_at(descriptor, nil, 0, &tail, tail.count, Int64(place.tailStart))
        guard count >= 0 else { throw failure("read", CInt(-count)) }
        return place.isBehind(tail.prefix(count))
    }

    /// Goes back from the end, a block at a time.
    private func beginning(ofLast count: Int, _ isWanted: () -> Bool) throws(FileReadError) -> Int {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { block.deallocate() }
        // A line feed at the end of the last line begins no further line.
        var end = max(0, knownSize - 1)
        var left = count
        while end > 0, isWanted() {
            let start = max(0, end - block.count)
            var held = try read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<(end - start)]), at: start)
            while let base = block.baseAddress {
                let found = clinux_last_index(base, held, CInt(LineEnd.lineFeed))
                guard found >= 0 else { break }
                left -= 1
                if left == 0 { return start + found + 1 }
                held = found
            }
            end = start
        }
        return 0
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int) throws(FileReadError) -> Int {
        let count = clinux_read_at(descriptor, nil, 0, buffer.baseAddress, buffer.count, Int64(place))
        guard count >= 0 else { throw failure("read", CInt(-count)) }
        return count
    }

    private func failure(_ verb: String, _ code: CInt) -> FileReadError {
        .system(operation: "\(verb) \(name)", errno: Errno(rawValue: code))
    }
}
