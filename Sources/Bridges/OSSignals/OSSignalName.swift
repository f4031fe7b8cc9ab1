import Glibc

extension OSSignal {
    /// The standard signals' numbers by name: `SIGTERM` is 15.
    package static let numbersByName: [String: CInt] = [
        "SIGHUP": SIGHUP, "SIGINT": SIGINT, "SIGQUIT": SIGQUIT, "SIGILL": SIGILL, "SIGTRAP": SIGTRAP,
        "SIGABRT": SIGABRT, "SIGBUS": SIGBUS, "SIGFPE": SIGFPE, "SIGKILL": SIGKILL, "SIGUSR1": SIGUSR1,
        "SIGSEGV": SIGSEGV, "SIGUSR2": SIGUSR2, "SIGPIPE": SIGPIPE, "SIGALRM": SIGALRM, "SIGTERM": SIGTERM,
        "SIGSTKFLT": SIGSTKFLT, "SIGCHLD": SIGCHLD, "SIGCONT": SIGCONT, "SIGSTOP": SIGSTOP, "SIGTSTP": SIGTSTP,
        "SIGTTIN": SIGTTIN, "SIGTTOU": SIGTTOU, "SIGURG": SIGURG, "SIGXCPU": SIGXCPU, "SIGXFSZ": SIGXFSZ,
        "SIGVTALRM": SIGVTALRM, "SIGPROF": SIGPROF, "SIGWINCH": SIGWINCH, "SIGIO": SIGIO, "SIGPWR": SIGPWR,
        "SIGSYS": SIGSYS,
    ]

    /// The standard signals' names by number.
    package static let namesByNumber: [CInt: String] = Dictionary(
        numbersByName.map { ($0.value, $0.key) }
    ) { first, _ in first }

    /// The name of a signal, such as `SIGTERM`, `SIGRTMIN+3` or, for an unknown number, `signal 99`.
    public static func name(of number: CInt) -> String {
        if let name = namesByNumber[number] { return name }
        guard realTimeNumbers.contains(number) else { return "signal \(number)" }
        let offset = number - realTimeNumbers.lowerBound
        return offset == 0 ? "SIGRTMIN" : "SIGRTMIN+\(offset)"
    }

    /// The number of the signal that ``name(of:)`` calls so, such as 15 for `SIGTERM`; `nil` if there is none.
    public static func number(named name: String) -> CInt? {
        numbersByName[name] ?? realTimeNumbers.first { Self.name(of: $0) == name }
    }
}
