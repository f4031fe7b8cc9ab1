import Glibc

/// How much of mapped files this process holds in memory.
///
/// libsystemd keeps up to 64 windows of 8 MiB of the files it reads. They belong to the page cache and cost nothing,
/// but they count as the process's memory wherever that is limited or looked at.
struct MappedMemory: ~Copyable {
    private let descriptor: Int32
    private var baseline = 0
    private let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// After this many bytes the reader lets go of its windows.
    static let tolerated = 12 << 20

    init() {
        descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        baseline = current
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes what is mapped now as what cannot be helped.
    mutating func rebase() { baseline = current }

    var hasGrown: Bool { current - baseline > Self.tolerated }

    /// The third number of the file: pages of mapped files in memory.
    private var current: Int {
        guard descriptor >= 0 else { return 0 }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return 0 }
            var column = 0
            var pages = 0
            for byte in buffer[..<count] {
                if byte == UInt8(ascii: " ") {
                    column += 1
                } else if column == 2 {
                    pages = pages * 10 + Int(byte &- 0x30)
                }
            }
            return pages * pageSize
        }
    }
}
