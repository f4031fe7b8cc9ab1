import Bus
import Glibc

/// Why Dispatch cannot watch something.
public enum DispatchError: Error, Hashable, Sendable {
    /// A system call failed.
    case system(operation: String, code: CInt)
}

extension DispatchError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .system(let operation, let code):
            let advice =
                switch code {
                case EMFILE: "; close some descriptors or raise the limit (ulimit -n)"
                case ENFILE: "; the whole machine has no descriptor left"
                case EBADF: "; it is not open"
                default: ""
                }
            return "cannot \(operation): \(SystemError.numbered(code))\(advice)"
        }
    }
}
