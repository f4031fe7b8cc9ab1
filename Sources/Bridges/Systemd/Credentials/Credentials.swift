import Glibc
import SystemPackage

/// The secrets that the service manager hands to this process in files: systemd.exec(5), "Credentials".
public struct Credentials: Sendable, Hashable {
    /// The directory of the credentials; nil when the process was given none.
    public let directory: String?

    /// The credentials in `$CREDENTIALS_DIRECTORY`.
    public init() {
        directory = Environment.process("CREDENTIALS_DIRECTORY")
    }

    /// The credentials in a directory.
    public init(directory: String) {
        self.directory = directory
    }

    /// The contents of a credential.
    ///
    /// - Parameters:
    ///   - name: its name, which is no path: a name that would lead elsewhere is refused before anything is opened,
    ///     and so is a symbolic link.
    ///   - limit: how many bytes it may have. A unit's credentials have at most a mebibyte together.
    /// - Throws: ``CredentialError`` when the name is not valid, when there are no credentials or not this one, when it is no
    ///   plain file or larger than `limit`, and when it cannot be read.
    public func read(_ name: String, limit: Int = 1 << 20) throws(CredentialError) -> [UInt8] {
        guard Self.isValid(name) else { throw .invalidName(name) }
        guard let directory else { throw .none(name: name) }
        let path = "\(directory)/\(name)"
        // Not waiting, in case that it is a pipe.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ELOOP { throw .notAFile(path: path) }
            throw .system(operation: "open", path: path, errno: Errno(rawValue: errno))
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            throw .system(operation: "look at", path: path, errno: Errno(rawValue: errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard status.st_size <= limit else {
            throw .tooLarge(name: name, size: Int(status.st_size), limit: limit)
        }
        return try contents(of: file, path, name: name, limit: limit)
    }

    /// The contents of a credential as text, with U+FFFD in the place of bytes that are not UTF-8.
    ///
    /// - Throws: ``CredentialError``, as ``read(_:limit:)``.
    public func text(_ name: String, limit: Int = 1 << 20) throws(CredentialError) -> String {
        String(decoding: try read(name, limit: limit), as: UTF8.self)
    }

    /// Whether a credential could have this name.
    static func isValid(_ name: String) -> Bool {
        DescriptorName.isValid(name) && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
    }

    private func contents(
        of file: CInt,
        _ path: String,
        name: String,
        limit: Int
    ) throws(CredentialError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(operation: "read", path: path, errno: Errno(rawValue: errno))
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            // It may have grown since it was looked at.
            guard bytes.count <= limit else { throw .tooLarge(name: name, size: bytes.count, limit: limit) }
        }
    }
}
