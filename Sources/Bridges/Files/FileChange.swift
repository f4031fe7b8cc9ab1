/// Something that happened to a file.
public struct FileChange: Sendable, Hashable {
    /// The kind of change. Most kinds are events of inotify(7).
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// It is new: made, linked, or found where none was.
        case created
        /// It was written to or truncated. Writes that follow each other closely may be one change.
        case modified
        /// It was open for writing and has been closed: its writer has finished.
        case closedAfterWrite
        /// Its mode, owner, times, extended attributes or number of links changed.
        case attributes
        /// It is not there any more.
        case deleted
        /// It was given another name. When that is in the same directory, a `movedTo` with the same cookie follows.
        case movedFrom
        /// A file was moved to this name, replacing any file of that name. Moved within the directory, `previousName`
        /// has the old name.
        case movedTo
        /// Another file is there under the same name; only `changes(of:)` sends it.
        case replaced
        /// The kernel's queue was full, and an unknown number of changes is missing here: look at the files anew.
        case overflow
    }

    /// The kind; `overflow` is of no one file.
    public let kind: Kind
    /// The name in its directory; empty for the directory itself and for `overflow`.
    public let name: FileName
    /// For `movedTo` within the directory, the name before.
    public let previousName: FileName?
    /// Whether it is a directory.
    public let isDirectory: Bool
    /// The same in the two changes of a move, here and in signals of other directories; else zero.
    public let cookie: UInt32

    /// For tests: a change to compare with those that are heard.
    public init(
        _ kind: Kind,
        _ name: FileName,
        previousName: FileName? = nil,
        isDirectory: Bool = false,
        cookie: UInt32 = 0
    ) {
        self.kind = kind
        self.name = name
        self.previousName = previousName
        self.isDirectory = isDirectory
        self.cookie = cookie
    }
}
