public import Filter
import Glibc
public import OSSignalBridge

extension FieldTable where Subject == OSSignal {
    /// What an expression can say of an OS signal: `number` and `name` (`SIGTERM` is a name for the number), `code`,
    /// `pid`, `uid`, `value`, `status`.
    public static var osSignal: FieldTable<OSSignal> {
        FieldTable(
            [
                .int("number") { Int64($0.number) },
                .text("name") { signal in OSSignalNames.byNumber[signal.number] },
                .int("code") { Int64($0.code) },
                .int("pid") { Int64($0.pid) },
                .int("uid") { Int64($0.uid) },
                .int("value") { Int64($0.value) },
                .int("status") { Int64($0.status) },
            ],
            recordName: "signal",
            constants: OSSignalNames.all.mapValues(Int64.init)
        )
    }
}

extension ValueFilter where Value == OSSignal {
    /// A filter over ``Filter/FieldTable/osSignal``.
    ///
    /// - Throws: what is wrong with the expression.
    public init(_ expression: String) throws(FilterError) {
        try self.init(expression, fields: .osSignal)
    }
}

/// The signals that have names on Linux.
enum OSSignalNames {
    static let all: [String: CInt] = [
        "SIGHUP": SIGHUP, "SIGINT": SIGINT, "SIGQUIT": SIGQUIT, "SIGILL": SIGILL, "SIGTRAP": SIGTRAP,
        "SIGABRT": SIGABRT, "SIGBUS": SIGBUS, "SIGFPE": SIGFPE, "SIGKILL": SIGKILL, "SIGUSR1": SIGUSR1,
        "SIGSEGV": SIGSEGV, "SIGUSR2": SIGUSR2, "SIGPIPE": SIGPIPE, "SIGALRM": SIGALRM, "SIGTERM": SIGTERM,
        "SIGSTKFLT": SIGSTKFLT, "SIGCHLD": SIGCHLD, "SIGCONT": SIGCONT, "SIGSTOP": SIGSTOP, "SIGTSTP": SIGTSTP,
        "SIGTTIN": SIGTTIN, "SIGTTOU": SIGTTOU, "SIGURG": SIGURG, "SIGXCPU": SIGXCPU, "SIGXFSZ": SIGXFSZ,
        "SIGVTALRM": SIGVTALRM, "SIGPROF": SIGPROF, "SIGWINCH": SIGWINCH, "SIGIO": SIGIO, "SIGPWR": SIGPWR,
        "SIGSYS": SIGSYS,
    ]

    static let byNumber: [CInt: String] = Dictionary(all.map { ($0.value, $0.key) }) { first, _ in first }
}
