import CLinux
import Glibc

/// A whole file in memory, to be looked at from start to end; what has been passed does not stay in memory.
///
/// Everything is read inside the guard against files that shrink: zeros stand where the file has ended meanwhile.
final class MappedFile {
    let bytes: UnsafeRawBufferPointer
    private var released = 0

    private static let step = 8 << 20

    init?(_ descriptor: Int32, size: Int) {
        guard size > 0, let start = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
            return nil
        }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }

    func number(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    func shortNumber(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Lets go of the pages before `offset`.
    func passed(_ offset: Int) {
        guard offset - released >= Self.step, let start = bytes.baseAddress else { return }
        let end = offset & ~0xFFFF
        // A shared mapping of this object's own: the pages come back from the file if they are wanted again.
        madvise(UnsafeMutableRawPointer(mutating: start + released), end - released, MADV_DONTNEED)
        released = end
    }

    static func guarded<Result>(_ body: () -> Result) -> Result {
        clinux_sigbus_enter()
        defer { clinux_sigbus_leave() }
        return body()
    }
}
