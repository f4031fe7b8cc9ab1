public import Glibc

/// One POSIX signal as the kernel describes it: `siginfo_t`, see sigaction(2).
public struct OSSignal: Sendable, Hashable {
    /// Which signal, such as `SIGTERM`.
    public let number: CInt
    /// Why it was sent: `SI_USER` (0) for `kill`, `SI_QUEUE` for `sigqueue`, a `CLD_…` code for `SIGCHLD`.
    public let code: CInt
    /// The process that sent it, or the child that changed; 0 when the kernel itself did.
    public let pid: pid_t
    /// The real user of the sender.
    public let uid: uid_t
    /// What `sigqueue` sent along.
    public let value: CInt
    /// For `SIGCHLD`, the child's exit status or the signal that ended it.
    public let status: CInt
}
