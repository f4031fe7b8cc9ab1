import CLinux
import Glibc
import SystemPackage

/// A socket that waits for clients.
struct ListeningSocket: Sendable {
    let descriptor: CInt
    /// The file, if it is ours to remove.
    private let file: File?

    private struct File: Sendable {
        let path: String
        let device: dev_t
        let number: ino_t
    }

    /// Listens at a path.
    ///
    /// A socket at the path on which nobody listens any more is replaced. Two processes that do this at the same time
    /// do it one after the other, so that neither takes the other's new socket for an old one.
    init(path: String, mode: mode_t) throws(TapError) {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalidPath(path) }
        let limit = Int(CLINUX_UNIX_PATH)
        guard path.utf8.count <= limit else { throw .pathTooLong(path, limit: limit) }
        let lock = FolderLock(of: path)
        defer { lock.release() }
        try Self.removeStale(path)
        let descriptor = try Self.check(clinux_unix_bind(path, path.utf8.count, mode), "make the socket \(path)", path)
        self.descriptor = descriptor
        do throws(TapError) {
            var status = stat()
            try Self.check(lstat(path, &status) == 0 ? 0 : -errno, "look at the socket \(path)")
            file = File(path: path, device: status.st_dev, number: status.st_ino)
            // The umask may have taken more than was wanted.
            if status.st_mode & 0o777 != mode {
                try Self.check(chmod(path, mode) == 0 ? 0 : -errno, "change the mode of the socket \(path)")
            }
            try Self.check(listen(descriptor, 128) == 0 ? 0 : -errno, "listen at the socket \(path)")
        } catch {
            _ = unlink(path)
            _ = Glibc.close(descriptor)
            throw error
        }
    }

    /// A socket that listens already, such as one that a service manager passed on. Its file is not ours.
    init(listening descriptor: CInt) throws(TapError) {
        guard clinux_unix_is_listener(descriptor) == 1 else {
            throw .notListening(FileDescriptor(rawValue: descriptor))
        }
        try Self.check(clinux_unix_set_nonblocking(descriptor), "use descriptor \(descriptor)")
        self.descriptor = descriptor
        file = nil
    }

    /// Removes the file, unless another socket has taken its place.
    func removeFile() {
        guard let file else { return }
        let lock = FolderLock(of: file.path)
        defer { lock.release() }
        var status = stat()
        guard lstat(file.path, &status) == 0, status.st_dev == file.device, status.st_ino == file.number else { return }
        _ = unlink(file.path)
    }

    private static func removeStale(_ path: String) throws(TapError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .system(operation: "look at \(path)", errno: Errno(rawValue: errno))
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        let isLive = clinux_unix_is_live(path, path.utf8.count)
        // A socket of another type belongs to another program, whether or not it is still used.
        if isLive == -EPROTOTYPE || isLive == 1 { throw .inUse(path) }
        try check(isLive, "find out whether anybody listens at \(path)")
        try check(unlink(path) == 0 || errno == ENOENT ? 0 : -errno, "remove the old socket \(path)")
    }

    @discardableResult
    private static func check(_ result: CInt, _ operation: String, _ path: String? = nil) throws(TapError) -> CInt {
        guard result < 0 else { return result }
        if result == -EADDRINUSE, let path { throw .inUse(path) }
        throw .system(operation: operation, errno: Errno(rawValue: -result))
    }
}

/// A lock on a folder, which all taps take that make or remove a socket in it.
///
/// Taps hold it for some system calls. A process that holds it for longer is no tap, and must not keep a tap from
/// starting: then, and where the folder cannot be locked, the tap goes on without it.
private struct FolderLock {
    private let descriptor: CInt

    init(of path: String) {
        var folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        if folder.isEmpty { folder = "/" }
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        for _ in 0..<100 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
            usleep(1000)
        }
    }

    func release() { if descriptor >= 0 { close(descriptor) } }
}
