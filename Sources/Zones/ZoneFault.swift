import Glibc

/// A time zone could not be read.
package struct ZoneFault: Error, Equatable {
    /// The zone's name; empty for the local one.
    package let zone: String
    /// The file that was read; nil when the name cannot be that of a file.
    package let path: String?
    /// The system's error number (`errno`); zero when the file could be read and is no zone file.
    package let code: CInt

    package init(zone: String, path: String?, code: CInt) {
        self.zone = zone
        self.path = path
        self.code = code
    }

    /// A description of what was being done, why it failed and what to do about it.
    /// - Parameter words: the system's error in words.
    package func description(_ words: (CInt) -> String) -> String {
        let what = zone.isEmpty ? "the local time zone" : "the time zone \"\(zone)\""
        guard let path else {
            return "\(what) cannot be one: a name is made of letters, digits, +, -, _ and /, and has at most"
                + " \(ZoneDatabase.maxNameLength) of them"
        }
        switch code {
        case 0: return "cannot read \(what): \(path) is not a zone file; reinstall tzdata"
        case ENOENT, EISDIR:
            return "there is no time zone file \(path); see `timedatectl list-timezones`, or install tzdata"
        default: return "cannot read \(what) from \(path): \(words(code))"
        }
    }
}
