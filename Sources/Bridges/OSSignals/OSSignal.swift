public import Glibc

/// One POSIX signal as the kernel describes it: `siginfo_t`, see sigaction(2).
public struct OSSignal: Sendable, Hashable {
    /// The signal's number, such as `SIGTERM`.
    public let number: CInt
    /// The reason why it was sent: `SI_USER` (0) for `kill`, `SI_QUEUE` for `sigqueue`, a `CLD_…` code for `SIGCHLD`.
    /// ``cause`` describes it in words.
    public let code: CInt
    /// The process that sent it, or the child that changed; 0 when the kernel itself did, or when the sender is not
    /// visible from here, as across a container's border.
    public let pid: pid_t
    /// The real user of the sender.
    public let uid: uid_t
    /// The value that `sigqueue` sent along; for a timer of timer_create(2), the value that it was given.
    public let value: CInt
    /// For `SIGCHLD`, the child's exit status or the signal that ended, stopped or continued it.
    public let status: CInt
    /// The whole value that `sigqueue` sent along, for a sender that put a pointer there. ``value`` is its lower
    /// half.
    public let payload: UInt

    /// A signal as the kernel could have described it, for tests and for code that passes signals on.
    public init(
        number: CInt,
        code: CInt = 0,
        pid: pid_t = 0,
        uid: uid_t = 0,
        value: CInt = 0,
        status: CInt = 0,
        payload: UInt = 0
    ) {
        self.number = number
        self.code = code
        self.pid = pid
        self.uid = uid
        self.value = value
        self.status = status
        self.payload = payload
    }

    /// Whether this one may stand for several: while one signal of a standard number waits, the kernel drops further
    /// ones, so that counting them gives a lower bound. Of real-time signals each is heard.
    public var mayStandForSeveral: Bool { !Self.realTimeNumbers.contains(number) }

    /// The signals that are queued one by one, with their values: `SIGRTMIN` to `SIGRTMAX`.
    public static var realTimeNumbers: ClosedRange<CInt> { __libc_current_sigrtmin()...__libc_current_sigrtmax() }
}

extension OSSignal: CustomStringConvertible {
    /// For people: `SIGTERM from process 812 (user 0)`.
    public var description: String {
        let name = Self.name(of: number)
        switch cause {
        case .user, .thread: return "\(name) from process \(pid) (user \(uid))"
        case .queue: return "\(name) from process \(pid) (user \(uid)) with \(value)"
        case .child(let change): return "\(name): child \(pid) \(change)"
        case .kernel: return "\(name) from the kernel"
        case .timer: return "\(name) from a timer with \(value)"
        case .other: return "\(name) with code \(code)"
        }
    }
}
