import Bus
import Glibc

/// Why Dispatch cannot watch something: a system call failed.
public struct DispatchError: Error, Hashable, Sendable {
    /// The operation that failed: "watch descriptor 7 to read".
    public let operation: String
    /// The system's error number (`errno`).
    public let code: CInt

    /// For tests: an error to compare with that of a signal.
    public init(operation: String, code: CInt) {
        self.operation = operation
        self.code = code
    }
}

extension DispatchError: CustomStringConvertible {
    public var description: String { "cannot \(operation): \(SystemError.numbered(code))\(advice)" }

    private var advice: String {
        switch code {
        case EMFILE: "; close some descriptors or raise the limit (ulimit -n)"
        case ENFILE: "; the whole machine has no descriptor left"
        case EBADF: "; it is not open"
        default: ""
        }
    }
}
