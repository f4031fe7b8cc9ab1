import Glibc

extension OSSignal {
    /// Why a signal was sent.
    public enum Cause: Sendable, Hashable {
        /// `kill`, by process ``OSSignal/pid``.
        case user
        /// `pthread_kill` or `tgkill`.
        case thread
        /// `sigqueue`, with ``OSSignal/value``.
        case queue
        /// The kernel on its own account, as for a terminal's Ctrl-C.
        case kernel
        /// A timer of timer_create(2) that expired.
        case timer
        /// A change of the child ``OSSignal/pid``. Other children may have changed in the same way: see
        /// ``OSSignal/mayStandForSeveral``.
        case child(ChildChange)
        /// Another ``OSSignal/code``; see sigaction(2).
        case other
    }

    /// A change of a child, as `SIGCHLD` reports it.
    public enum ChildChange: Sendable, Hashable {
        /// It called exit(3), or returned from `main`, with this status: 0 to 255.
        case exited(status: CInt)
        /// A signal of this number ended it, without a core dump.
        case killed(by: CInt)
        /// As ``killed(by:)``, with a core dump.
        case dumped(by: CInt)
        /// A signal of this number stopped it, such as `SIGTSTP` for a terminal's Ctrl-Z.
        case stopped(by: CInt)
        /// It is being traced, and stopped for it.
        case trapped(by: CInt)
        /// `SIGCONT` made it go on after it was stopped.
        case continued
    }

    /// The meaning of ``code``, and of ``status`` with it.
    public var cause: Cause {
        if number == SIGCHLD, let change = ChildChange(code: code, status: status) { return .child(change) }
        switch Int(code) {
        case SI_USER: return .user
        case SI_TKILL: return .thread
        case SI_QUEUE: return .queue
        case SI_TIMER: return .timer
        // Its name is a macro that Swift does not see.
        case 0x80: return .kernel
        default: return .other
        }
    }
}

extension OSSignal.ChildChange {
    init?(code: CInt, status: CInt) {
        switch Int(code) {
        case CLD_EXITED: self = .exited(status: status)
        case CLD_KILLED: self = .killed(by: status)
        case CLD_DUMPED: self = .dumped(by: status)
        case CLD_STOPPED: self = .stopped(by: status)
        case CLD_TRAPPED: self = .trapped(by: status)
        case CLD_CONTINUED: self = .continued
        default: return nil
        }
    }
}

extension OSSignal.ChildChange: CustomStringConvertible {
    public var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .killed(let number): "was ended by \(OSSignal.name(of: number))"
        case .dumped(let number): "was ended by \(OSSignal.name(of: number)), with a core dump"
        case .stopped(let number), .trapped(let number): "was stopped by \(OSSignal.name(of: number))"
        case .continued: "goes on"
        }
    }
}
