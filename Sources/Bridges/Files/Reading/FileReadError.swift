public import SystemPackage

/// Why the lines of a file cannot be read, or not any more.
public enum FileReadError: Error, Hashable, Sendable {
    /// The kind of file that is there in place of a regular one.
    public enum Kind: Sendable, Hashable {
        /// A directory, in which a file has to be named.
        case directory
        /// A FIFO.
        case pipe
        /// A terminal, `/dev/null`, a disk.
        case device
        /// A Unix domain socket, which can be connected to and not opened.
        case socket
    }

    /// It is not a regular file. It was not opened.
    case notRegular(FilePath, Kind)
    /// The system refused.
    case system(operation: String, errno: Errno)
}

extension FileReadError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notRegular(let path, .directory):
            "cannot read lines of \(path): it is a directory; name a file in it"
        case .notRegular(let path, .pipe): "cannot read lines of \(path): it is a FIFO\(Self.streamAdvice)"
        case .notRegular(let path, .device): "cannot read lines of \(path): it is a device\(Self.streamAdvice)"
        case .notRegular(let path, .socket):
            "cannot read lines of \(path): it is a socket; connect to it and read it as a stream"
        case .system(let operation, let errno):
            "cannot \(operation): \(errno) (error \(errno.rawValue))\(Self.advice(for: errno))"
        }
    }

    private static var streamAdvice: String { "; open it and read it as a stream" }

    private static func advice(for errno: Errno) -> String {
        switch errno {
        case .permissionDenied: "; reading takes the right to read the file and to search its directories"
        case .tooManyOpenFiles: "; raise the limit on open files (ulimit -n, LimitNOFILE=)"
        case .tooManyOpenFilesInSystem: "; raise the limit on open files of the system (sysctl fs.file-max)"
        default: ""
        }
    }
}

extension FileReadError {
    init(_ error: FileWatchError) {
        switch error {
        case .system(let operation, let errno): self = .system(operation: operation, errno: errno)
        case .gone(let path, _): self = .system(operation: "watch \(path)", errno: .noSuchFileOrDirectory)
        }
    }
}
