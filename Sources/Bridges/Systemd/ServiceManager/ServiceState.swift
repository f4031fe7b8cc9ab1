public import Glibc
import Timers
public import SystemPackage

/// A notification of a service to the manager that started it; see sd_notify(3).
public enum ServiceState: Sendable, Hashable {
    /// Start-up, or reloading, is over. (`READY=1`)
    case ready
    /// The configuration is being read again; ``ready`` follows. (`RELOADING=1`, with `MONOTONIC_USEC` of the moment
    /// it is sent, which `Type=notify-reload` needs; systemd before 253 ignores that.)
    case reloading
    /// The service is ending. (`STOPPING=1`)
    case stopping
    /// A line about the service's present work, for `systemctl status`. Line breaks become spaces. (`STATUS=`)
    case status(String)
    /// The system's error that made the service fail. (`ERRNO=`)
    case errno(Errno)
    /// The service's main process. (`MAINPID=`)
    case mainProcess(pid_t)
    /// Starting, running or ending takes so much longer than the unit allows. (`EXTEND_TIMEOUT_USEC=`)
    case extendTimeout(Duration)
    /// The service lives. Sent by ``ServiceManager/watchdog(gatedOn:whenStalled:on:)``. (`WATCHDOG=1`)
    case alive
    /// The service is broken: the manager should act as if the watchdog's time had passed. (`WATCHDOG=trigger`)
    case broken
    /// From now on the watchdog's time is so long. (`WATCHDOG_USEC=`)
    case watchdogInterval(Duration)
    /// Any other variable, such as one of your own, which begins with `X_`.
    case other(name: String, value: String)
}

extension ServiceState {
    /// The lines that go into the datagram.
    func text() throws(NotifyError) -> String {
        switch self {
        case .ready: "READY=1\n"
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonic.now.nanoseconds / 1000)\n"
        case .stopping: "STOPPING=1\n"
        case .status(let text): "STATUS=\(Self.line(text))\n"
        case .errno(let errno): "ERRNO=\(errno.rawValue)\n"
        case .mainProcess(let pid): "MAINPID=\(pid)\n"
        case .extendTimeout(let time): "EXTEND_TIMEOUT_USEC=\(time.microseconds)\n"
        case .alive: "WATCHDOG=1\n"
        case .broken: "WATCHDOG=trigger\n"
        case .watchdogInterval(let time): "WATCHDOG_USEC=\(time.microseconds)\n"
        case .other(let name, let value): try Self.assignment(name, value)
        }
    }

    /// A line break would begin an assignment of its own.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 32 ? 32 : $0 }, as: UTF8.self)
    }

    private static func assignment(_ name: String, _ value: String) throws(NotifyError) -> String {
        let isName = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isName, !name.isEmpty else {
            throw .invalid(what: "\"\(name)\"", reason: "names are made of capitals, digits and underscores")
        }
        guard !value.utf8.contains(where: { $0 < 32 }) else {
            throw .invalid(what: name, reason: "its value has a line break or another control character")
        }
        return "\(name)=\(value)\n"
    }
}
