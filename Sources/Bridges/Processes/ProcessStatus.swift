/// How a process ended.
public enum ProcessStatus: Sendable, Hashable {
    /// By itself, with this code; 0 is success by convention.
    case exited(code: CInt)
    /// By a signal, such as `SIGTERM`; `dumpedCore` says whether it left a core dump.
    case signaled(signal: CInt, dumpedCore: Bool)

    /// Whether it exited with 0.
    public var isSuccess: Bool { self == .exited(code: 0) }
}

extension ProcessStatus: CustomStringConvertible {
    public var description: String {
        switch self {
        case .exited(let code): "exited with \(code)"
        case .signaled(let signal, let dumpedCore): "ended by signal \(signal)\(dumpedCore ? " (core dumped)" : "")"
        }
    }
}
