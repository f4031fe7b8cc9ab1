import Bus
import Glibc
public import SystemPackage

/// A journal that could not be opened or read on.
public struct JournalError: Error, Sendable, Hashable {
    /// The operation that failed, such as "open the journal file".
    public let action: String
    /// The object of the operation: a path, or the name of a namespace.
    public let subject: String?
    /// Why it failed, in words.
    public let reason: String
    /// Advice on what to do about it.
    public let advice: String?
    /// The system's error, where the reason is the system's.
    public let errno: Errno?

    /// - Parameter errno: the system's error code; 0 where the reason is not the system's.
    package init(_ action: String, _ subject: String? = nil, reason: String? = nil, advice: String? = nil, errno: Int32)
    {
        self.action = action
        self.subject = subject
        self.reason = reason ?? SystemError.text(errno)
        self.advice = advice ?? Self.advice(for: errno)
        self.errno = errno == 0 ? nil : Errno(rawValue: errno)
    }

    private static func advice(for code: Int32) -> String? {
        switch code {
        case EACCES, EPERM: "Run as root or as a member of the group systemd-journal."
        case EMFILE:
            "Raise the limit of open files (ulimit -n, or LimitNOFILE= in the unit): each journal file takes one."
        case ENFILE: "Raise fs.file-max: the whole system is out of open files."
        case EPROTONOSUPPORT: "It was written by a newer systemd."
        default: nil
        }
    }
}

extension JournalError: CustomStringConvertible {
    public var description: String {
        var text = "cannot \(action)"
        if let subject { text += " \(subject)" }
        text += ": \(reason)"
        if let advice { text += ". \(advice)" }
        return text
    }
}
