import Glibc
import SystemPackage
import Testing

/// A pipe whose ends a child of another test does not inherit.
struct TestPipe {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = FileDescriptor(rawValue: ends[0])
        writing = FileDescriptor(rawValue: ends[1])
    }

    func send(_ text: String) throws { try writing.writeAll(text.utf8) }

    /// How many bytes wait to be read.
    var waiting: Int {
        var count: CInt = -1
        _ = ioctl(reading.rawValue, UInt(FIONREAD), &count)
        return Int(count)
    }

    /// Writes until nothing more fits; answers how much did.
    func fill() -> Int {
        let flags = fcntl(writing.rawValue, F_GETFL)
        _ = fcntl(writing.rawValue, F_SETFL, flags | O_NONBLOCK)
        defer { _ = fcntl(writing.rawValue, F_SETFL, flags) }
        let bytes = [UInt8](repeating: 120, count: 4096)
        var total = 0
        while true {
            let count = write(writing.rawValue, bytes, bytes.count)
            guard count > 0 else { return total }
            total += count
        }
    }
}
