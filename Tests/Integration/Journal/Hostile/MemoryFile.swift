import Foundation
import Glibc

/// A file that is removed with its owner. It is kept in memory if the system allows that.
final class MemoryFile: Sendable {
    private let descriptor: Int32
    let path: String

    init(_ bytes: [UInt8] = []) throws {
        let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()
        path = folder + "busctl-rx-" + UUID().uuidString + ".journal"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Command.Failure(description: "\(path): \(errno)") }
        try write(bytes)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Replaces the whole content.
    func write(_ bytes: [UInt8]) throws {
        try resize(to: bytes.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(done))
            }
            guard count > 0 else { throw Command.Failure(description: "pwrite: \(errno)") }
            done += count
        }
    }

    func resize(to count: Int) throws {
        guard ftruncate(descriptor, off_t(count)) == 0 else {
            throw Command.Failure(description: "ftruncate: \(errno)")
        }
    }
}
