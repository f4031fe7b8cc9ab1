/// Says that lines may be missing at this place.
public struct FileGap: Sendable, Hashable {
    /// Why lines may be missing, and where reading goes on.
    public enum Reason: Sendable, Hashable {
        /// The file was truncated, as logrotate's `copytruncate` does. It is read from its beginning.
        case truncated
        /// One file or several came to the path and were gone before they could be opened, or changes were missed and this may
        /// have happened. The file that is at the path now is read from its beginning.
        case missed
        /// The file in which reading was to go on, or one that came after it, is no longer there, or is compressed; or the names and times of the
        /// files do not tell whether there was one. Reading goes on with the next file that is there.
        case gone
        /// The file at the path could not be opened or read for a second at least. It is read from its beginning once it can be.
        case unreadable(FileReadError)
    }

    /// The event that lines may be missing for.
    public let reason: Reason
    /// How many bytes are missing at least; nil where that is not known. They may be none then: between the last look at a
    /// file and its truncation, something may have been written or not.
    public let lost: Int?

    /// For tests: a gap to compare with those that are heard.
    public init(_ reason: Reason, lost: Int? = nil) {
        self.reason = reason
        self.lost = lost
    }
}

extension FileGap: CustomStringConvertible {
    public var description: String {
        let amount = lost.map { $0 == 1 ? "at least 1 byte is" : "at least \($0) bytes are" } ?? "lines may be"
        let why =
            switch reason {
            case .truncated: "the file was truncated"
            case .missed: "a file was replaced and deleted before it was opened"
            case .gone: "a file that was to be read has been deleted or compressed, or may have been"
            case .unreadable(let error): "\(error)"
            }
        return "\(amount) missing here: \(why)"
    }
}
