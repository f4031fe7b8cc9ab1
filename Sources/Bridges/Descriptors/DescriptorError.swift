package import Loop
public import SystemPackage

/// Why a descriptor cannot be read, written or waited for.
public struct DescriptorError: Error, Hashable, Sendable {
    /// The operation that failed: "read descriptor 7".
    public let operation: String
    /// Why it failed.
    public let errno: Errno

    package init(_ operation: String, code: CInt) {
        self.operation = operation
        errno = Errno(rawValue: code)
    }

    package init(_ error: EventLoopError) {
        self.init(error.operation, code: error.code)
    }
}

extension DescriptorError: CustomStringConvertible {
    public var description: String { "cannot \(operation): \(errno) (error \(errno.rawValue))\(advice)" }

    private var advice: String {
        switch errno {
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            "; raise the limit on open files (ulimit -n, LimitNOFILE=) or close some"
        case .noSpace: "; the device is full, or /proc/sys/fs/epoll/max_user_watches is to be raised"
        case .noBufferSpace:
            "; values come faster than they are written, from a source that cannot pause: raise the limit, or lose values on"
                + " purpose before they are written"
        case .brokenPipe: "; nobody reads the other end any more"
        case .badFileDescriptor: "; it is not open, or not for this"
        case .notPermitted: "; only pipes, sockets, terminals and the like are waited for, a file is always ready"
        case .isDirectory: "; a directory is not read but watched, by FileBridge"
        default: ""
        }
    }
}
