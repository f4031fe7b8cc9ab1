import Bus
import Records
public import SystemPackage

/// Says that entries may be missing at this place.
public struct JournalGap: Sendable, Hashable {
    /// Why entries may be missing, and what is read nevertheless.
    public enum Reason: Sendable, Hashable {
        /// A file became shorter while it was being read.
        case truncated
        /// A file is damaged. Its readable entries follow.
        case damaged
        /// Files were deleted, usually to save space, before they were read. The rest of a file that was open is read.
        case deleted
        /// A file could not be opened, for instance for want of permission. The others are read.
        case unreadable
        /// Fields of a damaged file cannot be read. Its entries come without them. Reported once for each file.
        case fields
        /// The journal has lost entries that were read before, as a power cut does to the newest ones. Reading goes on behind those that
        /// it has: their numbers are given again.
        case forgotten
        /// Of a stream, more of the newest entries were asked for than 64 MiB hold. The newest of them come.
        case room
    }

    /// For decisions in code; `description` is for people.
    public let reason: Reason
    /// The file, where one is the cause.
    public let path: String?
    /// How many entries are missing, where that is known. It is not where a file counts more than it can hold.
    public let lost: Int?
    /// The system's error, where there was one.
    public let errno: Errno?

    package init(_ reason: Reason, path: String? = nil, lost: Int? = nil, errno: Errno? = nil) {
        self.reason = reason
        self.path = path
        self.lost = lost
        self.errno = errno
    }
}

extension JournalGap: CustomStringConvertible {
    public var description: String {
        let count = lost.map { $0 == 1 ? "1 entry is" : "\($0) entries are" } ?? "entries may be"
        let file = path.map { " \($0)" } ?? ""
        let why =
            switch reason {
            case .truncated: "journal file\(file) became shorter while it was being read"
            case .damaged: "journal file\(file) is damaged"
            case .deleted: "journal files were deleted before they were read"
            case .unreadable: "journal file\(file) cannot be read"
            case .fields: "journal file\(file) is damaged"
            case .forgotten: "the journal has lost the last entries that were read before"
            case .room: "no more than \(NewestKept<JournalEntry>.maxBytes >> 20) MiB of earlier entries are kept"
            }
        if reason == .forgotten { return "\(why); what it has behind them follows" }
        if reason == .fields { return "fields of entries are missing from here on: \(why)" }
        let cause = errno.map { " (\(SystemError.text($0.rawValue)))" } ?? ""
        if lost == 0 { return "\(why)\(cause), but no entry is missing" }
        return "\(count) missing here: \(why)\(cause)"
    }
}
