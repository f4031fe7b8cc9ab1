import Bus
import Glibc

/// A file that is read as a whole, within a bound, and replaced as a whole. Its calls block for as long as the file system
/// takes, but never because something else is in the file's place: a pipe or a device is refused.
package struct SmallFile: Sendable, Hashable {
    package let path: String
    /// In bytes.
    package let maxLength: Int
    /// Whether a link at the path is followed: the file that it leads to is read and replaced. Otherwise a link is refused like a pipe.
    package let followsLink: Bool

    package init(path: String, maxLength: Int, followsLink: Bool = true) {
        self.path = path
        self.maxLength = maxLength
        self.followsLink = followsLink
    }

    /// Its content; nil if there is no such file.
    package func read() throws(SmallFileError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP, !followsLink { throw SmallFileError("read", path, .notRegular) }
            throw SmallFileError("read", path)
        }
        defer { close(file) }
        try Self.checkIsRegular(file, "read", path)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(maxLength + 1, 65_536))
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SmallFileError("read", path) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= maxLength else { throw SmallFileError("read", path, .tooLong(limit: maxLength)) }
        }
    }

    /// Puts a new file in its place: it is written, flushed to the disk and renamed, and the folder is flushed. So after a
    /// crash or a power failure there is the old file or the new one. A folder that cannot be flushed, because this process
    /// may not read it or the file system does not flush folders, is no error.
    ///
    /// - Parameters:
    ///   - bytes: at most ``maxLength``.
    ///   - suffix: makes the new file's name, in the same folder. Two writers at a time need different ones. A file of this
    ///     name that a crash left is overwritten.
    package func replace(by bytes: [UInt8], suffix: String) throws(SmallFileError) {
        guard bytes.count <= maxLength else { throw SmallFileError("write", path, .tooLong(limit: maxLength)) }
        let path = try target()
        let new = path + suffix
        // The new file gets the readers of the old one, and no others before.
        var old = stat()
        // A link that was put there meanwhile is replaced, and has no mode of its own.
        let hasOld = lstat(path, &old) == 0 && old.st_mode & S_IFMT == S_IFREG
        let mode: mode_t = hasOld ? 0o600 : 0o644
        let file = open(new, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, mode)
        guard file >= 0 else { throw SmallFileError("write", new) }
        defer { close(file) }
        do throws(SmallFileError) {
            try Self.checkIsRegular(file, "write", new)
            guard ftruncate(file, 0) == 0 else { throw SmallFileError("write", new) }
            if hasOld, fchmod(file, mode) != 0 { throw SmallFileError("write", new) }
            try Self.write(bytes, to: file, new)
            guard fsync(file) == 0 else { throw SmallFileError("write", new) }
        } catch {
            if error.reason != .notRegular { unlink(new) }
            throw error
        }
        guard rename(new, path) == 0 else {
            let failure = SmallFileError("replace", path)
            unlink(new)
            throw failure
        }
        // Set at the end: some modes deny the owner writing, and after a crash nobody could write into such a leftover. A process
        // that may not set them leaves the stricter ones.
        if hasOld {
            _ = fchown(file, old.st_uid, old.st_gid)
            _ = fchmod(file, old.st_mode & 0o777)
        }
        let folder = Self.folder(of: path)
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if directory < 0, errno == EACCES || errno == EPERM { return }
        guard directory >= 0 else { throw SmallFileError("flush", folder) }
        defer { close(directory) }
        guard fsync(directory) == 0 || errno == EINVAL else { throw SmallFileError("flush", folder) }
    }

    /// The path of the file itself. It may not exist yet; anything but a file keeps its place.
    private func target() throws(SmallFileError) -> String {
        var path = path
        if !followsLink {
            var status = stat()
            guard lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
                throw SmallFileError("replace", path, .notRegular)
            }
            return path
        }
        // The kernel follows 40 links, too.
        for _ in 0...40 {
            if let resolved = realpath(path, nil) {
                defer { free(resolved) }
                path = String(cString: resolved)
                var status = stat()
                if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
                    throw SmallFileError("replace", path, .notRegular)
                }
                return path
            }
            guard let link = Self.link(at: path) else { return path }
            path = link.hasPrefix("/") ? link : Self.folder(of: path) + link
        }
        throw SmallFileError("replace", self.path, .system(ELOOP))
    }

    /// The path in a link; nil if it is none.
    private static func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private static func checkIsRegular(_ file: CInt, _ operation: String, _ path: String) throws(SmallFileError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SmallFileError(operation, path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SmallFileError(operation, path, .notRegular) }
    }

    private static func write(_ bytes: [UInt8], to file: CInt, _ path: String) throws(SmallFileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SmallFileError("write", path) }
            rest = rest.dropFirst(count)
        }
    }
}

/// A ``SmallFile`` could not be used.
package struct SmallFileError: Error, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// The system's error number.
        case system(CInt)
        /// A folder, a pipe, a socket or a device is in its place.
        case notRegular
        /// In bytes.
        case tooLong(limit: Int)
    }

    /// The operation that failed, such as `write`.
    package let operation: String
    /// The file or folder that could not be used.
    package let path: String
    package let reason: Reason

    package init(_ operation: String, _ path: String, _ reason: Reason? = nil) {
        self.operation = operation
        self.path = path
        self.reason = reason ?? .system(errno)
    }

    package var description: String { "cannot \(operation) \(path): \(cause)" }

    /// Why, for messages of their own.
    package var cause: String {
        switch reason {
        case .system(let code): SystemError.numbered(code)
        case .notRegular: "it is no regular file"
        case .tooLong(let limit): "it is longer than \(limit % 1024 == 0 ? "\(limit / 1024) KiB" : "\(limit) bytes")"
        }
    }
}
