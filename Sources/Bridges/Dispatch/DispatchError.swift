import Bus
public import SystemPackage

/// Why Dispatch cannot watch something: a system call failed.
public struct DispatchError: Error, Hashable, Sendable {
    /// The operation that failed: "watch descriptor 7 to read".
    public let operation: String
    /// Why it failed.
    public let errno: Errno

    /// For tests: an error to compare with that of a signal.
    public init(operation: String, errno: Errno) {
        self.operation = operation
        self.errno = errno
    }

    init(operation: String, code: CInt) {
        self.init(operation: operation, errno: Errno(rawValue: code))
    }
}

extension DispatchError: CustomStringConvertible {
    public var description: String { "cannot \(operation): \(SystemError.numbered(errno.rawValue))\(advice)" }

    private var advice: String {
        switch errno {
        case .tooManyOpenFiles: "; close some descriptors or raise the limit (ulimit -n)"
        case .tooManyOpenFilesInSystem: "; the whole machine has no descriptor left"
        case .badFileDescriptor: "; it is not open"
        default: ""
        }
    }
}
