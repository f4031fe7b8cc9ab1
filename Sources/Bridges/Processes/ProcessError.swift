import DescriptorBridge
public import SystemPackage

/// Why a process cannot be started, watched or read.
public struct ProcessError: Error, Hashable, Sendable {
    /// The operation that failed: "start /usr/bin/journalctl".
    public let operation: String
    /// Why it failed.
    public let errno: Errno

    init(_ operation: String, code: CInt) {
        self.operation = operation
        errno = Errno(rawValue: code)
    }

    init(_ error: DescriptorError) {
        operation = error.operation
        errno = error.errno
    }
}

extension ProcessError: CustomStringConvertible {
    public var description: String { "cannot \(operation): \(errno) (error \(errno.rawValue))\(advice)" }

    private var advice: String {
        switch errno {
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            "; raise the limit on open files (ulimit -n, LimitNOFILE=) or close some"
        case .resourceTemporarilyUnavailable: "; see the limits on processes (ulimit -u, TasksMax=)"
        case .noSuchProcess: "; it has ended, and whoever started it knows how"
        case .noChildProcess:
            "; somebody else took its status: SIGCHLD is ignored in this process, or it waits for any child (waitpid(-1))"
        case .noFunction: "; it takes Linux 5.4"
        default: ""
        }
    }
}
