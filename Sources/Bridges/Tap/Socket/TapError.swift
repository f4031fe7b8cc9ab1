import Bus
public import SystemPackage

/// Why a tap cannot be served.
public enum TapError: Error, Hashable, Sendable {
    /// The path is empty, or has a zero byte in it.
    case invalidPath(String)
    /// The path does not fit into a socket's address.
    case pathTooLong(String, limit: Int)
    /// There is no directory in which a tap could be found by its name; see ``TapPath``.
    case noDirectory
    /// There is a file at the path that is no socket. It was left alone.
    case notASocket(String)
    /// Another process, or another tap of this one, listens at the path.
    case inUse(String)
    /// The descriptor is not a listening Unix stream socket.
    case notListening(FileDescriptor)
    /// The system has no thread or descriptor left; the text has the details.
    case cannotStart(String)
    /// A system call failed.
    case system(operation: String, errno: Errno)
}

extension TapError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidPath(let path):
            "cannot serve a tap at \"\(path.replacing("\0", with: "\\0"))\": a path must not be empty or have a zero byte in it"
        case .pathTooLong(let path, let limit):
            "cannot serve a tap at \(path): the path has \(path.utf8.count) bytes, and a socket's may have \(limit)"
        case .noDirectory:
            "cannot find a directory for a tap: neither RUNTIME_DIRECTORY nor XDG_RUNTIME_DIR names one; "
                + "set RuntimeDirectory= in the service's unit, or give a path"
        case .notASocket(let path):
            "cannot serve a tap at \(path): there is something that is not a socket; remove it or choose another path"
        case .inUse(let path):
            "cannot serve a tap at \(path): another process listens there"
        case .notListening(let descriptor):
            "cannot serve a tap on descriptor \(descriptor.rawValue): it is not a listening Unix stream socket; "
                + "see ListenStream= in the .socket unit"
        case .cannotStart(let reason): "cannot start a tap: \(reason)"
        case .system(let operation, let errno):
            "cannot \(operation): \(SystemError.numbered(errno.rawValue))"
        }
    }
}
