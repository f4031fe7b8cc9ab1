import Bus
public import SystemPackage

/// Why signals cannot be listened to.
public enum OSSignalError: Error, Hashable, Sendable {
    /// No process can catch this signal, or catching it would be wrong.
    case uncatchable(number: CInt, reason: String)
    /// Another part of this process reads the signal through a descriptor of its own: a Dispatch signal source, which
    /// swift-service-lifecycle's `UnixSignals` also uses, or an sd-event loop. Only one of the two readers would hear
    /// each signal, at random.
    case taken(number: CInt, descriptor: FileDescriptor)
    /// A system call failed.
    case system(operation: String, errno: Errno)
}

extension OSSignalError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .uncatchable(let number, let reason): "cannot listen to \(OSSignal.name(of: number)): \(reason)"
        case .taken(let number, let descriptor):
            "cannot listen to \(OSSignal.name(of: number)): another part of this process reads it already, through "
                + "descriptor \(descriptor.rawValue) (a Dispatch signal source, swift-service-lifecycle or sd-event), and each signal "
                + "would reach only one of the two; end the other, or leave the signal to it"
        case .system(let operation, let errno):
            "cannot \(operation): \(SystemError.numbered(errno.rawValue))\(Self.advice(errno))"
        }
    }

    private static func advice(_ errno: Errno) -> String {
        switch errno {
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            "; raise the limit on open files (ulimit -n, LimitNOFILE=) or close some"
        case .resourceTemporarilyUnavailable: "; see the limits on processes and threads (ulimit -u, TasksMax=)"
        default: ""
        }
    }
}
