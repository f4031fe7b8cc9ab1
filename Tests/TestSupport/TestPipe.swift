import CLinux
import Glibc
package import SystemPackage
import Testing

/// A pipe whose ends are not inherited by a child of another test.
package struct TestPipe {
    package let reading: FileDescriptor
    package let writing: FileDescriptor

    package init() throws {
        var (first, second): (CInt, CInt) = (-1, -1)
        try #require(clinux_pipe(&first, &second) == 0)
        reading = FileDescriptor(rawValue: first)
        writing = FileDescriptor(rawValue: second)
    }

    package func send(_ text: String) throws { try writing.writeAll(text.utf8) }

    /// How many bytes can be read.
    package var waiting: Int {
        var count: CInt = -1
        _ = ioctl(reading.rawValue, UInt(FIONREAD), &count)
        return Int(count)
    }

    /// Whether all descriptors of the reading end are closed.
    package var hasNoReader: Bool { events(of: writing) & Int16(POLLERR) != 0 }

    /// Whether all descriptors of the writing end are closed.
    package var hasNoWriter: Bool { events(of: reading) & Int16(POLLHUP) != 0 }

    private func events(of descriptor: FileDescriptor) -> Int16 {
        var found = pollfd(fd: descriptor.rawValue, events: 0, revents: 0)
        return poll(&found, 1, 0) < 0 ? 0 : found.revents
    }

    /// Reads what is available, at most `limit` bytes.
    package func read(_ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { bytes, count in
            count = max(0, Glibc.read(reading.rawValue, bytes.baseAddress, limit))
        }
    }

    /// Writes until nothing more fits. Returns how many bytes did.
    package func fill() -> Int {
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
