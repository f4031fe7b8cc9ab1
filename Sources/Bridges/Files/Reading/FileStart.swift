/// The place in a file where reading begins.
public enum FileStart: Sendable, Hashable {
    /// At its first line.
    case head
    /// At its end, with the next bytes that are written. If the last line is not finished, its remaining bytes come
    /// as a line.
    case end
    /// With this many of its last lines, or with all if it has fewer. A last line without a line feed counts. With 0 or less,
    /// as ``end``.
    case last(Int)
}
