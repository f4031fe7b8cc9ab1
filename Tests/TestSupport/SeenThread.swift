import Bus
import Glibc

/// A thread of the code under test, recorded inside one of its callbacks and then observed from outside.
package final class SeenThread: Sendable {
    private let folder = Lock<String?>(nil)

    package init() {}

    /// Records the calling thread.
    @Sendable package func note() {
        guard folder.withLock({ $0 == nil }) else { return }
        let found = "/proc/" + Self.link("/proc/thread-self")
        folder.withLock { $0 = found }
    }

    /// Whether it sleeps until another thread wakes it: in a futex, and not in a timer, a poll or a read.
    package var isParked: Bool {
        guard let folder = folder.withLock({ $0 }) else { return false }
        return Self.text(folder + "/syscall").hasPrefix("\(Self.futex) ")
    }

    /// Whether it has been recorded and is gone.
    package var hasEnded: Bool {
        guard let folder = folder.withLock({ $0 }) else { return false }
        return access(folder, F_OK) != 0
    }

    #if arch(x86_64)
        private static let futex = 202
    #else
        private static let futex = 98
    #endif

    private static func link(_ path: String) -> String {
        var target = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &target, target.count)
        return String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        }
    }
}
