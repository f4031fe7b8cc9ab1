/// An element of a signal of a file's lines.
public enum FileItem: Sendable, Hashable {
    /// Lines that were read together.
    case lines(FileLines)
    /// All that was there has been read; from here on lines are new. Comes once, and only when following.
    case caughtUp
    /// Lines may be missing at this place.
    case gap(FileGap)
}

extension FileItem {
    /// The lines, if it is some.
    public var lines: FileLines? {
        if case .lines(let lines) = self { lines } else { nil }
    }
}
