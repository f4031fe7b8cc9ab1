import CLinux
import Glibc
import SystemPackage
import Testing

/// A pipe whose ends a child of another test does not inherit.
struct TestPipe {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws {
        var (first, second): (CInt, CInt) = (-1, -1)
        try #require(clinux_pipe(&first, &second) == 0)
        reading = FileDescriptor(rawValue: first)
        writing = FileDescriptor(rawValue: second)
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
