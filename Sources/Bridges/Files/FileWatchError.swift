public import SystemPackage

/// Why changes of files cannot be heard, or not any more.
public enum FileWatchError: Error, Hashable, Sendable {
    /// The reason that a watched directory is gone.
    public enum Loss: Sendable, Hashable {
        /// The directory was removed.
        case deleted
        /// It is elsewhere now; a directory at its path, if any, is another one.
        case moved
        /// The file system that it is on was unmounted. Another directory may be at its path now.
        case unmounted
    }

    /// The directory is not there any more. `retry(backoff:)` waits for it to come back.
    case gone(FilePath, Loss)
    /// The system refused.
    case system(operation: String, errno: Errno)
}

extension FileWatchError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .gone(let path, .deleted): "cannot watch \(path) any more: it was deleted"
        case .gone(let path, .moved): "cannot watch \(path) any more: it was moved away"
        case .gone(let path, .unmounted): "cannot watch \(path) any more: its file system was unmounted"
        case .system(let operation, let errno):
            "cannot \(operation): \(errno) (error \(errno.rawValue))\(Self.advice(for: errno))"
        }
    }

    private static func advice(for errno: Errno) -> String {
        switch errno {
        case .noSpace:
            "; this user watches as many files as may be: raise it (sysctl fs.inotify.max_user_watches)"
        case .tooManyOpenFiles:
            "; raise the limit on open files (ulimit -n, LimitNOFILE=) or on inotify descriptors of this user"
                + " (sysctl fs.inotify.max_user_instances)"
        case .tooManyOpenFilesInSystem: "; raise the limit on open files of the system (sysctl fs.file-max)"
        case .permissionDenied: "; watching a directory takes the right to read it"
        case .notDirectory: "; a file is watched with changes(of:)"
        default: ""
        }
    }
}
