import Bus
import Glibc

/// A time zone could not be read.
public struct ZoneError: Error, Equatable, CustomStringConvertible {
    /// The zone's name; empty for the local one.
    public let zone: String
    /// The file that was read; nil when the name can be none of a file.
    public let path: String?
    /// The system's error number (`errno`); zero when the file could be read and is no zone file.
    public let code: CInt

    /// What was being done, why it failed and what to do about it.
    public var description: String {
        let what = zone.isEmpty ? "the local time zone" : "the time zone \"\(zone)\""
        guard let path else { return "\(what) cannot be one: a name is made of letters, digits, +, -, _ and /" }
        switch code {
        case 0: return "cannot read \(what): \(path) is not a zone file; reinstall tzdata"
        case ENOENT, EISDIR:
            return "there is no time zone file \(path); see `timedatectl list-timezones`, or install tzdata"
        default: return "cannot read \(what) from \(path): \(SystemError.numbered(code))"
        }
    }
}
