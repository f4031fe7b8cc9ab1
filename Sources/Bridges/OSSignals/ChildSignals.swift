public import Glibc
import SystemPackage

/// Children that start without this process's signal mask.
///
/// A child inherits the blocked signals of the thread that starts it, and the ignored signals. A child started with
/// SIGTERM blocked does not end when it is told to. Handlers are not inherited: exec(2) resets them, and closes the
/// descriptor that signals are read from.
public enum ChildSignals {
    /// Makes processes that posix_spawn(3) starts block no signal and ignore none. Other attributes stay as they are.
    ///
    /// - Throws: ``OSSignalError/system(operation:errno:)`` when the system refuses, as for want of memory.
    public static func clean(_ attributes: inout posix_spawnattr_t) throws(OSSignalError) {
        var none = sigset_t()
        sigemptyset(&none)
        var every = sigset_t()
        sigfillset(&every)
        var flags: Int16 = 0
        let codes = [
            posix_spawnattr_setsigmask(&attributes, &none),
            posix_spawnattr_setsigdefault(&attributes, &every),
            posix_spawnattr_getflags(&attributes, &flags),
            posix_spawnattr_setflags(&attributes, flags | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)),
        ]
        if let code = codes.first(where: { $0 != 0 }) {
            throw .system(operation: "set a child's signal mask", errno: Errno(rawValue: code))
        }
    }

    /// Runs `body` with no signal blocked in the calling thread, for ways of starting children that cannot set a
    /// mask: Foundation's `Process` inherits the mask of the thread that calls `run()`.
    ///
    /// ```swift
    /// import Foundation
    /// import OSSignalBridge
    ///
    /// let process = Process()
    /// process.executableURL = URL(filePath: "/bin/true")
    /// try ChildSignals.withCleanMask { try process.run() }
    /// ```
    ///
    /// A signal that comes meanwhile may interrupt `body`, and its system calls are then restarted; the signal is
    /// heard like any other. Signals that wait because of ``OSSignalSet/block()`` go on waiting. The previous mask is
    /// restored when this returns.
    ///
    /// - Throws: the error of `body`.
    public static func withCleanMask<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try OSSignalHub.shared.keepingBack { kept throws(Failure) in
            let mask = SignalBits.blockedHere
            kept.apply(SIG_SETMASK)
            defer { mask.apply(SIG_SETMASK) }
            return try body()
        }
    }
}
