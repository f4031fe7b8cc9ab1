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
    /// Behind a place that was read before. Its file is looked for by inode, and by its bytes, among the files of the directory. What
    /// is left of it is read first, and then what came to the path after it, as if there had been no pause: files whose names are
    /// the log's with a number or a date in the same place as that of the first, in the order of their last changes. If no file has the
    /// place, reading begins with the file at the path. There is a gap (``FileGap/Reason/gone``) then, where a file is compressed already, and
    /// behind the first file where it cannot be known whether others came after it.
    case behind(FilePlace)
}
