import Glibc

/// Why signals cannot be listened to.
public enum OSSignalError: Error, Hashable, Sendable {
    /// No process can catch this signal, or catching it would be wrong.
    case uncatchable(number: CInt, reason: String)
    /// A system call failed.
    case system(operation: String, code: CInt)
}

extension OSSignalError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .uncatchable(let number, let reason): "cannot listen to signal \(number): \(reason)"
        case .system(let operation, let code):
            "cannot \(operation): \(String(cString: strerror(code))) (error \(code))"
        }
    }
}
