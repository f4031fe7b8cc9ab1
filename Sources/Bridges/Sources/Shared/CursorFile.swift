import Glibc

public import SystemPackage

/// A file that holds a place: the cursor of the entry up to which everything was done.
public struct CursorFile: Sendable, Hashable {
    /// The path of the file, which need not exist yet.
    public let path: String

    /// Opens and checks nothing.
    public init(path: String) {
        self.path = path
    }

    /// A forwarder keeps up to 34 cursors in it, none of which is nearly 4 KiB long.
    private static let maxLength = 128 << 10

    /// The cursor in the file; `nil` if there is no such file, or nothing in it.
    ///
    /// - Throws: ``Failure`` when it cannot be read, or is not a text file of less than 128 KiB.
    public func read() throws(Failure) -> String? { try readLines().first.flatMap { $0.isEmpty ? nil : $0 } }

    /// Its lines; none if there is no such file. A file with nothing in it has one empty line.
    package func readLines() throws(Failure) -> [String] {
        do {
            let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
            return try descriptor.closeAfter {
                var status = stat()
                guard fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                    throw Failure(description: "the cursor file \(path) is no regular file")
                }
                let bytes = try [UInt8](unsafeUninitializedCapacity: Self.maxLength) { buffer, count in
                    count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                guard bytes.count < Self.maxLength, let text = String(validating: bytes, as: UTF8.self) else {
                    throw Failure(description: "\(path) holds no cursor")
                }
                return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            }
        } catch let error as Errno {
            if error == .noSuchFileOrDirectory { return [] }
            throw Failure(description: "cannot read the cursor file \(path): \(error)")
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "cannot read the cursor file \(path): \(error)")
        }
    }

    /// Puts a new file in the place of the old one, so that either of them is whole, whatever happens. A link stays one: the file
    /// that it leads to is replaced.
    ///
    /// - Throws: `Errno` of the step that failed; `fileExists` when the path is that of a directory, device, pipe or socket.
    ///   The old file stays as it was.
    public func write(_ cursor: String) throws(Errno) {
        var status = stat()
        // Never take the place of a device or a pipe that has come here.
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFLNK {
            throw .fileExists
        }
        let target = realpath(path, nil).map { resolved in
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let path = target ?? path
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw .fileExists }
        // A name of its own: another run may save its place in the same file.
        let new = FilePath("\(path).\(String(UInt64.random(in: 0 ... .max), radix: 16)).new")
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(
                new,
                .writeOnly,
                options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            )
        } catch {
            throw error as? Errno ?? .ioError
        }
        do {
            try descriptor.closeAfter {
                try descriptor.writeAll((cursor + "\n").utf8)
                if fsync(descriptor.rawValue) < 0 { throw Errno(rawValue: errno) }
            }
            if rename(new.string, path) < 0 { throw Errno(rawValue: errno) }
        } catch let error as Errno {
            _ = unlink(new.string)
            throw error
        } catch {
            throw .ioError
        }
    }

    /// Why it cannot be read.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        public let description: String

        /// - Parameter description: the whole message, with the path, for a person.
        public init(description: String) {
            self.description = description
        }
    }
}
