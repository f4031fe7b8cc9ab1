import Bus
import Glibc

/// The system could not provide a resource that an event loop needs.
package struct EventLoopError: Error, Equatable, CustomStringConvertible {
    /// The operation that failed: "watch descriptor 7".
    package let operation: String
    /// The system's error number.
    package let code: CInt

    package var description: String {
        "cannot \(operation): \(SystemError.numbered(code))\(advice)"
    }

    package init(operation: String, code: CInt) {
        self.operation = operation
        self.code = code
    }

    private var advice: String {
        switch code {
        case EMFILE, ENFILE: "; raise the limit on open files (ulimit -n, LimitNOFILE=) or close some"
        case EPERM: "; only pipes, sockets, terminals and the like can be watched, not plain files or directories"
        case ENOSPC: "; raise /proc/sys/fs/epoll/max_user_watches"
        default: ""
        }
    }

    /// The result of a call of the C layer, or its error.
    package static func check(_ result: CInt, _ operation: @autoclosure () -> String) throws(EventLoopError) -> CInt {
        guard result < 0 else { return result }
        throw EventLoopError(operation: operation(), code: -result)
    }
}
