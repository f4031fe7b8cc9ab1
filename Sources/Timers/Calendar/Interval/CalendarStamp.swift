import Bus
import Glibc
import Zones
public import SystemPackage

/// A file whose time of modification is the calendar's time up to which something was done, like the stamps of systemd's
/// `Persistent=` timers.
struct CalendarStamp: Sendable {
    let path: String

    /// The time up to which it was done; nil when the file does not exist.
    func read() throws(CalendarStampError) -> TimerInstant? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw CalendarStampError(operation: "read", path: path, errno: Errno(rawValue: errno))
        }
        let (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        return TimerInstant(nanoseconds: 0).advanced(by: .seconds(seconds) + .nanoseconds(nanoseconds))
    }

    /// Notes that it was done; creates the file if there is none, readable by everybody and writable only by its
    /// owner.
    func write(_ instant: TimerInstant) throws(CalendarStampError) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o644)
        guard file >= 0 else { throw CalendarStampError(operation: "write", path: path, errno: Errno(rawValue: errno)) }
        defer { close(file) }
        let (seconds, rest) = instant.nanoseconds.flooredQuotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        guard futimens(file, [time, time]) == 0 else {
            throw CalendarStampError(operation: "write", path: path, errno: Errno(rawValue: errno))
        }
    }
}

/// The file that remembers when a calendar last ticked could not be used.
public struct CalendarStampError: Error, Equatable, CustomStringConvertible {
    /// `read` or `write`.
    public let operation: String
    /// The stamp's file.
    public let path: String
    /// Why it failed.
    public let errno: Errno

    public var description: String {
        "cannot \(operation) the stamp file \(path): \(SystemError.numbered(errno.rawValue))\(FileAdvice.text(errno.rawValue))"
    }
}
